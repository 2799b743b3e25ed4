import {
  createNumberSchema,
  numberDeletedSchema,
  numberParamsSchema,
  numbersSchema,
  phoneNumberSchema,
  updateNumberSchema,
} from "@parley/shared/contracts/telephony.ts";
import { AppError } from "@parley/shared/errors.ts";
import { KEY_READS, KEY_WRITES } from "../../http/access/rules.ts";
import { keyOf } from "../../http/plugins/access.ts";
import { type Api, KEY_SECURITY, responses } from "../../http/routes.ts";
import { addNumber, changeNumber, type NumbersDeps } from "./numbers.ts";
import { deleteNumber, listNumbers } from "./store.ts";

const common = { tags: ["numbers"], security: KEY_SECURITY };

/** `/api/v1/numbers`: the organization's numbers, who answers them, and whom they are allocated to. */
export function numberRoutes(app: Api, deps: NumbersDeps): void {
  app.get(
    "/api/v1/numbers",
    {
      config: { access: KEY_READS },
      schema: { ...common, summary: "List numbers", response: responses(200, numbersSchema) },
    },
    async (request) => {
      const numbers = await listNumbers(deps.database, keyOf(request).orgId);
      return { numbers, total: numbers.length };
    },
  );
  app.post(
    "/api/v1/numbers",
    {
      config: { access: KEY_WRITES },
      schema: {
        ...common,
        summary: "Add a number",
        body: createNumberSchema,
        response: responses(201, phoneNumberSchema),
      },
    },
    async (request, reply) =>
      reply.status(201).send(await addNumber(keyOf(request).orgId, request.body, deps)),
  );
  app.patch(
    "/api/v1/numbers/:id",
    {
      config: { access: KEY_WRITES },
      schema: {
        ...common,
        summary: "Give a number to an agent or a member",
        params: numberParamsSchema,
        body: updateNumberSchema,
        response: responses(200, phoneNumberSchema),
      },
    },
    async (request) =>
      changeNumber(keyOf(request).orgId, { id: request.params.id, change: request.body }, deps),
  );
  app.delete(
    "/api/v1/numbers/:id",
    {
      config: { access: KEY_WRITES },
      schema: {
        ...common,
        summary: "Give a number up",
        params: numberParamsSchema,
        response: responses(200, numberDeletedSchema),
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await deleteNumber(deps.database, keyOf(request).orgId, id)))
        throw new AppError("not_found", "There is no such number in this organization.");
      return { id, deleted: true as const };
    },
  );
}
