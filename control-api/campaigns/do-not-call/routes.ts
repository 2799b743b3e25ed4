import {
  addDncSchema,
  checkDncSchema,
  dncAddedResponseSchema,
  dncCheckedResponseSchema,
  dncDeletedResponseSchema,
  dncListResponseSchema,
  dncParamsSchema,
  dncQuerySchema,
  importDncSchema,
  MAX_LIST_BYTES,
} from "@parley/shared/contracts/do-not-call.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { FastifyRequest } from "fastify";
import { CAMPAIGNS_READ, CAMPAIGNS_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { byOf } from "../../identity/orgs/acting.ts";
import type { CampaignsDeps } from "../deps.ts";
import { readPhone } from "../phones.ts";
import { addNumbers, numbersIn } from "./add-numbers.ts";
import { deleteNumber, findBlocked, listNumbers } from "./store.ts";

const LIST = "/api/orgs/:orgId/dnc";
const about = { tags: ["campaigns"], security: USER_SECURITY, params: orgParamsSchema };
const reads = { access: CAMPAIGNS_READ };
const writes = { access: CAMPAIGNS_WRITE };

interface DoNotCallDeps extends CampaignsDeps {
  readonly secrets: SecretBox;
}

/** `/api/orgs/{orgId}/dnc`: numbers that nobody in the organization may call. */
export function doNotCallRoutes(app: Api, deps: DoNotCallDeps): void {
  readRoutes(app, deps);
  addRoutes(app, deps);
  deleteRoute(app, deps);
}

function readRoutes(app: Api, { database }: CampaignsDeps): void {
  app.get(
    LIST,
    {
      config: reads,
      schema: {
        ...about,
        summary: "List the numbers that are not called, newest first",
        querystring: dncQuerySchema,
        response: responses(200, dncListResponseSchema),
      },
    },
    async (request) => success(await listNumbers(database.db, actorOf(request).orgId, request.query)),
  );
  app.post(
    `${LIST}/check`,
    {
      config: reads,
      schema: {
        ...about,
        summary: "Ask which of up to 1,000 numbers may not be called",
        body: checkDncSchema,
        response: responses(200, dncCheckedResponseSchema),
      },
    },
    async (request) => {
      const numbers = request.body.numbers.flatMap((value) => readPhone(value) ?? []);
      const blocked = await findBlocked(database.db, actorOf(request).orgId, numbers);
      return success({ blocked: [...blocked].toSorted() });
    },
  );
}

function addRoutes(app: Api, deps: CampaignsDeps): void {
  const { database, clock } = deps;
  app.post(
    LIST,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Add up to 1,000 numbers to the do-not-call list",
        body: addDncSchema,
        response: responses(200, dncAddedResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = byOf(request).actor;
      const { numbers, reason } = request.body;
      const how = { orgId, reason, source: "member", addedBy: userId, at: new Date(clock.wallMs()) } as const;
      const added = await addNumbers(database.db, numbers, how);
      await audited(request, "do_not_call.added", { added: added.added }, deps);
      return success(added);
    },
  );
  app.post(
    `${LIST}/import`,
    {
      config: writes,
      bodyLimit: MAX_LIST_BYTES,
      schema: {
        ...about,
        summary: "Import a CSV file into the do-not-call list",
        body: importDncSchema,
        response: responses(200, dncAddedResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = byOf(request).actor;
      const { csv, reason } = request.body;
      const how = { orgId, reason, source: "import", addedBy: userId, at: new Date(clock.wallMs()) } as const;
      const added = await addNumbers(database.db, numbersIn(csv), how);
      await audited(request, "do_not_call.added", { added: added.added }, deps);
      return success(added);
    },
  );
}

function deleteRoute(app: Api, deps: DoNotCallDeps): void {
  app.delete(
    `${LIST}/:number`,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Take a number off the do-not-call list",
        params: dncParamsSchema,
        response: responses(200, dncDeletedResponseSchema),
      },
    },
    async (request) => {
      const { number } = request.params;
      const whose = { orgId: actorOf(request).orgId, number };
      if (!(await deleteNumber(deps.database.db, whose, deps.secrets)))
        throw new AppError("not_found", `${number} is not on the do-not-call list.`);
      await audited(request, "do_not_call.removed", { number }, deps);
      return success({ number });
    },
  );
}

/** Audits removals: whoever makes a number callable again is accountable for it. */
async function audited(
  request: FastifyRequest,
  action: string,
  details: Record<string, string | number>,
  { audit }: CampaignsDeps,
): Promise<void> {
  const { actor, client } = byOf(request);
  const who = { kind: "user", id: actor.userId } as const;
  await audit.write({ action, orgId: actor.orgId, actor: who, client, details });
}
