import {
  callResponseSchema,
  callsQuerySchema,
  callsResponseSchema,
  updateCallSchema,
  updatedCallResponseSchema,
} from "@parley/shared/contracts/calls.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { orgRecordingParamsSchema } from "@parley/shared/contracts/recordings.ts";
import { AppError } from "@parley/shared/errors.ts";
import { CONTENT_READS, CONTENT_WRITES } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { isOnLegalHold } from "../recordings/content-store.ts";
import { toCallRecord } from "./call-record.ts";
import { listCalls } from "./list-store.ts";
import type { CallsDeps } from "./routes.ts";
import { findCall } from "./store.ts";
import { readTimeline } from "./timeline-store.ts";
import { writeNotes } from "./write-notes.ts";

const common = { tags: ["calls"], security: KEY_OR_USER_SECURITY };

/** `/api/orgs/{orgId}/calls`: past calls, for pages that list and show them. */
export function orgCallRoutes(app: Api, deps: CallsDeps): void {
  readRoutes(app, deps);
  app.patch(
    "/api/orgs/:orgId/calls/:id",
    {
      config: { access: CONTENT_WRITES },
      schema: {
        ...common,
        summary: "Write notes about a call down, in the place of those before",
        params: orgRecordingParamsSchema,
        body: updateCallSchema,
        response: responses(200, updatedCallResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const { notes } = request.body;
      return success(await writeNotes({ orgId, id: request.params.id, notes }, deps.database));
    },
  );
}

function readRoutes(app: Api, { reads, recordingLinks, deliveriesOf }: CallsDeps): void {
  app.get(
    "/api/orgs/:orgId/calls",
    {
      config: { access: CONTENT_READS },
      schema: {
        ...common,
        summary: "List calls, newest first",
        params: orgParamsSchema,
        querystring: callsQuerySchema,
        response: responses(200, callsResponseSchema),
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const calls = await reads.run(actor, (database) => listCalls(database, actor.orgId, request.query));
      const isFull = calls.length === request.query.limit;
      return success({ calls, nextBefore: isFull ? (calls.at(-1)?.id ?? null) : null });
    },
  );
  app.get(
    "/api/orgs/:orgId/calls/:id",
    {
      config: { access: CONTENT_READS },
      schema: {
        ...common,
        summary: "Read a call with its transcript, latency, tools, events and webhooks",
        params: orgRecordingParamsSchema,
        response: responses(200, callResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const { database } = reads;
      const stored = await findCall(database, orgId, request.params.id);
      if (!stored) throw new AppError("not_found", "There is no such call in this organization.");
      const { session_id, content_deleted_at } = stored.call;
      const [deliveries, events, legalHold] = await Promise.all([
        deliveriesOf(database, orgId, session_id),
        readTimeline(database, session_id),
        isOnLegalHold(database.db, orgId),
      ]);
      const contentDeletedAt = content_deleted_at?.toISOString() ?? null;
      const record = toCallRecord(stored, recordingLinks);
      return success({ ...record, events, contentDeletedAt, legalHold, deliveries });
    },
  );
}
