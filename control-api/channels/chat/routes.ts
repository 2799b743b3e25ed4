import {
  chatEndedSchema,
  chatParamsSchema,
  chatReplySchema,
  chatTranscriptSchema,
  chatTurnSchema,
} from "@parley/shared/contracts/chat.ts";
import type { FastifyReply } from "fastify";
import { CHAT_TURNS, KEY_READS, KEY_WRITES } from "../../http/access/rules.ts";
import { idempotencyHeadersSchema } from "../../http/idempotency/once.ts";
import { keyOf } from "../../http/plugins/access.ts";
import { type Api, KEY_SECURITY, responses } from "../../http/routes.ts";
import { ANSWERED_ROUTES } from "./answer-once.ts";
import { answerRequest } from "./answer-request.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { endChat } from "./finalize.ts";
import { beginTurn } from "./take-turn.ts";
import { readTranscript } from "./transcript.ts";

const CHAT = ANSWERED_ROUTES.backend;
const common = { tags: ["chat"], security: KEY_SECURITY };

/** `/api/v1/chat`: text chats with an agent. */
export function chatRoutes(app: Api, deps: ChatDeps): void {
  app.post(
    CHAT,
    {
      config: { access: CHAT_TURNS },
      schema: {
        ...common,
        summary:
          "Send a message and get the agent's reply; with Accept: text/event-stream as it is generated, with an Idempotency-Key once",
        headers: idempotencyHeadersSchema,
        body: chatTurnSchema,
        produces: ["application/json", "text/event-stream"],
        response: responses(200, chatReplySchema),
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const { orgId, userId, keyId } = keyOf(request);
      const repeated = {
        principal: `${orgId}:${keyId}`,
        route: CHAT,
        key: headers["idempotency-key"],
        body,
      };
      const open = () => beginTurn(body, { orgId, userId, callerKind: "key", keyId }, deps);
      const untyped: FastifyReply = reply;
      return answerRequest({ repeated, open, isVisitors: false }, { request, reply: untyped }, deps);
    },
  );

  app.get(
    "/api/v1/chat/:sessionId/messages",
    {
      config: { access: KEY_READS },
      schema: {
        ...common,
        summary: "Read what was said in a chat",
        params: chatParamsSchema,
        response: responses(200, chatTranscriptSchema),
      },
    },
    async (request) => readTranscript(request.params.sessionId, keyOf(request).orgId, deps),
  );

  app.post(
    "/api/v1/chat/:sessionId/end",
    {
      config: { access: KEY_WRITES },
      schema: {
        ...common,
        summary: "End a chat early; again changes nothing",
        params: chatParamsSchema,
        response: responses(200, chatEndedSchema),
      },
    },
    async (request) => {
      const { sessionId } = request.params;
      await endChat(sessionId, keyOf(request).orgId, deps);
      return { sessionId, status: "ended" as const };
    },
  );
}
