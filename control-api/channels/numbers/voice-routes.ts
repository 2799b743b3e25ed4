import {
  createNumberSchema,
  numberParamsSchema,
  numberResponseSchema,
  numbersResponseSchema,
  updateNumberSchema,
} from "@parley/shared/contracts/telephony.ts";
import { READS, WRITES } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { addNumber, changeNumber, type NumbersDeps } from "./numbers.ts";
import { listNumbers } from "./store.ts";

const PATH = "/api/voice/numbers";
const common = { tags: ["numbers"], security: KEY_OR_USER_SECURITY };

/** `/api/voice/numbers`: like `/api/v1/numbers`, also for signed-in members. */
export function voiceNumberRoutes(app: Api, deps: NumbersDeps): void {
  app.get(
    PATH,
    {
      config: { access: READS },
      schema: { ...common, summary: "List numbers", response: responses(200, numbersResponseSchema) },
    },
    async (request) => {
      const numbers = await listNumbers(deps.database, actorOf(request).orgId);
      return success({ numbers, total: numbers.length });
    },
  );
  app.post(
    PATH,
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Add a number",
        body: createNumberSchema,
        response: responses(201, numberResponseSchema),
      },
    },
    async (request, reply) =>
      reply.status(201).send(success(await addNumber(actorOf(request).orgId, request.body, deps))),
  );
  app.patch(
    `${PATH}/:id`,
    {
      config: { access: WRITES },
      schema: {
        ...common,
        summary: "Give a number to an agent or a member",
        params: numberParamsSchema,
        body: updateNumberSchema,
        response: responses(200, numberResponseSchema),
      },
    },
    async (request) => {
      const change = { id: request.params.id, change: request.body };
      return success(await changeNumber(actorOf(request).orgId, change, deps));
    },
  );
}
