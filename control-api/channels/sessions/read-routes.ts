import { sessionResponseSchema } from "@parley/shared/contracts/calls.ts";
import {
  sessionMessagesResponseSchema,
  sessionPageQuerySchema,
  sessionParamsSchema,
  toolInvocationsResponseSchema,
} from "@parley/shared/contracts/sessions.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import type { Database } from "../../database/open.ts";
import { SESSION_READS } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { toCallRecord } from "../../records/calls/call-record.ts";
import { findCall } from "../../records/calls/store.ts";
import type { RecordingLinks } from "../../records/recordings/recording-links.ts";
import { findMessagePage, findSession, findToolPage } from "./read-store.ts";

export interface SessionReadDeps {
  readonly database: Database;
  readonly recordingLinks: RecordingLinks;
}

const common = { tags: ["sessions"], security: USER_SECURITY, params: sessionParamsSchema };
const config = { access: SESSION_READS };
const gone = () => new AppError("not_found", "There is no such session in this organization.");

/** `/api/sessions/{id}`, read by members: live and ended sessions of every channel. */
export function sessionReadRoutes(app: Api, { database, recordingLinks }: SessionReadDeps): void {
  const existing = async (request: FastifyRequest, id: string) => {
    const found = await findSession(database, memberOf(request).orgId, id);
    if (!found) throw gone();
    return found;
  };
  app.get(
    "/api/sessions/:id",
    {
      config,
      schema: {
        ...common,
        summary: "Read a session, live or over",
        response: responses(200, sessionResponseSchema),
      },
    },
    async (request) => {
      const stored = await findCall(database, memberOf(request).orgId, request.params.id);
      if (!stored) throw gone();
      const { transcript: _transcript, tools: _tools, ...session } = toCallRecord(stored, recordingLinks);
      return success(session);
    },
  );
  app.get(
    "/api/sessions/:id/messages",
    {
      config,
      schema: {
        ...common,
        summary: "Read what was said in a session so far, in order",
        querystring: sessionPageQuerySchema,
        response: responses(200, sessionMessagesResponseSchema),
      },
    },
    async (request) => {
      const session = await existing(request, request.params.id);
      const messages = await findMessagePage(database, session, request.query);
      const nextAfter = messages.length === request.query.limit ? (messages.at(-1)?.seq ?? null) : null;
      return success({ sessionId: session.sessionId, messages, nextAfter });
    },
  );
  app.get(
    "/api/sessions/:id/tool-invocations",
    {
      config,
      schema: {
        ...common,
        summary: "Read which tools were used in a session so far, in order",
        querystring: sessionPageQuerySchema,
        response: responses(200, toolInvocationsResponseSchema),
      },
    },
    async (request) => {
      const session = await existing(request, request.params.id);
      const toolInvocations = await findToolPage(database, session, request.query);
      const nextAfter =
        toolInvocations.length === request.query.limit ? (toolInvocations.at(-1)?.seq ?? null) : null;
      return success({ sessionId: session.sessionId, toolInvocations, nextAfter });
    },
  );
}
