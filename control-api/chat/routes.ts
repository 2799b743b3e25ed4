import {
  chatEndedSchema,
  chatParamsSchema,
  chatReplySchema,
  chatTranscriptSchema,
  chatTurnSchema,
} from "@parley/shared/contracts/chat.ts";
import type { FastifyReply } from "fastify";
import { CHAT_TURNS, KEY_READS, KEY_WRITES } from "../access/rules.ts";
import { keyOf } from "../plugins/access.ts";
import { type Api, KEY_SECURITY, responses } from "../routes.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { streamTurn } from "./event-stream.ts";
import { endChat } from "./settle.ts";
import { answerTurn, beginTurn } from "./take-turn.ts";
import { readTranscript } from "./transcript.ts";

const common = { tags: ["chat"], security: KEY_SECURITY };

/** `/api/v1/chat`: text chats with an agent (spec 1, "Chat protocol"). */
export function chatRoutes(app: Api, deps: ChatDeps): void {
  app.post(
    "/api/v1/chat",
    {
      config: { access: CHAT_TURNS },
      schema: {
        ...common,
        summary:
          "Send a message and get the agent's reply; with Accept: text/event-stream as it is generated",
        body: chatTurnSchema,
        response: responses(200, chatReplySchema),
      },
    },
    async (request, reply) => {
      const turn = await beginTurn(request.body, keyOf(request), deps);
      if (!wantsEvents(request.headers.accept)) return answerTurn(turn, deps);
      const untyped: FastifyReply = reply;
      return streamTurn(turn, untyped, deps);
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

function wantsEvents(accept = ""): boolean {
  return accept.toLowerCase().includes("text/event-stream");
}
