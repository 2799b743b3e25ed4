import { chatEndedSchema, visitorMessageSchema, visitorReplySchema } from "@parley/shared/contracts/chat.ts";
import type { FastifyReply } from "fastify";
import { PUBLIC, VISITOR_CHATS } from "../../http/access/rules.ts";
import { idempotencyHeadersSchema } from "../../http/idempotency/once.ts";
import { clientTokenOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses } from "../../http/routes.ts";
import { ANSWERED_ROUTES } from "./answer-once.ts";
import { answerRequest } from "./answer-request.ts";
import { endVisitorsChat, openVisitorsTurn, type VisitorDeps, visitorOf } from "./visitors-turn.ts";

const CHAT = ANSWERED_ROUTES.visitor;
const END = `${CHAT}/end`;
/** CORS preflight for pages that send a client token. */
const PREFLIGHT = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "authorization, content-type, idempotency-key",
  "access-control-max-age": "600",
};

/** Pages of other origins must be able to read a refusal; no cookie is at stake. */
const READABLE = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after",
};

/** `/api/public/chat`: a client token's chat, from its holder's page. */
export function visitorChatRoutes(app: Api, deps: VisitorDeps): void {
  for (const path of [CHAT, END])
    app.options(path, { config: { access: PUBLIC }, schema: { hide: true } }, async (_, reply) =>
      reply.status(204).headers(PREFLIGHT).send(),
    );
  messageRoute(app, deps);
  endRoute(app, deps);
}

function messageRoute(app: Api, deps: VisitorDeps): void {
  app.post(
    CHAT,
    {
      config: { access: VISITOR_CHATS },
      onSend: async (_request, reply) => void reply.headers(READABLE),
      schema: {
        tags: ["chat"],
        summary: "Send a visitor's message with a client token, as the widget does",
        security: [{ clientToken: [] }],
        headers: idempotencyHeadersSchema,
        body: visitorMessageSchema,
        produces: ["application/json", "text/event-stream"],
        response: responses(200, visitorReplySchema),
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const visitor = await visitorOf(clientTokenOf(request), headers.origin, deps);
      const repeated = {
        principal: `client:${visitor.id}`,
        route: CHAT,
        key: headers["idempotency-key"],
        body,
      };
      const open = () => openVisitorsTurn(visitor, { input: body.input, client: clientOf(request) }, deps);
      const untyped: FastifyReply = reply;
      return answerRequest({ repeated, open, isVisitors: true }, { request, reply: untyped }, deps);
    },
  );
}

function endRoute(app: Api, deps: VisitorDeps): void {
  app.post(
    END,
    {
      config: { access: VISITOR_CHATS },
      onSend: async (_request, reply) => void reply.headers(READABLE),
      schema: {
        tags: ["chat"],
        summary:
          "End the chat of a client token, begun or not, as the widget's visitor does; again changes nothing",
        security: [{ clientToken: [] }],
        response: responses(200, chatEndedSchema),
      },
    },
    async (request) => {
      const visitor = await visitorOf(clientTokenOf(request), request.headers.origin, deps);
      await endVisitorsChat(visitor, deps);
      return { sessionId: visitor.sessionId, status: "ended" as const };
    },
  );
}
