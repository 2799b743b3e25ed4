import {
  beginThreadSchema,
  channelParamsSchema,
  messageQueuedResponseSchema,
  sendMessageSchema,
  threadParamsSchema,
  threadResponseSchema,
} from "@parley/shared/contracts/messaging.ts";
import { CHANNELS_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import type { MessagingDeps } from "../deps.ts";
import { beginThread, changeMode, markRead, sendInThread } from "./act.ts";
import { readThread } from "./thread-lists.ts";

const THREAD = "/api/orgs/:orgId/whatsapp-hub/threads/:threadId";
const BEGIN = "/api/orgs/:orgId/whatsapp-cloud/channels/:channelId/messages";
const common = { tags: ["whatsapp"], security: KEY_OR_USER_SECURITY };
const config = { access: CHANNELS_WRITE };

/** Actions in a conversation: writing, taking it over, handing it back. */
export function threadActionRoutes(app: Api, deps: MessagingDeps): void {
  sendingRoutes(app, deps);
  const actions = [
    ["take-over", "Answer a conversation yourself; the agent leaves it alone"],
    ["hand-back", "Let the agent answer a conversation again"],
    ["read", "Note that a conversation was read"],
  ] as const;
  for (const [action, summary] of actions)
    app.post(
      `${THREAD}/${action}`,
      {
        config,
        schema: {
          ...common,
          summary,
          params: threadParamsSchema,
          response: responses(200, threadResponseSchema),
        },
      },
      async (request) => {
        const who = actorOf(request);
        const { threadId } = request.params;
        if (action === "read") await markRead(who.orgId, threadId, deps);
        else await changeMode({ threadId, mode: action === "take-over" ? "member" : "agent" }, who, deps);
        return success(await readThread(deps.database.db, who.orgId, threadId, deps.clock.wallMs()));
      },
    );
}

function sendingRoutes(app: Api, deps: MessagingDeps): void {
  app.post(
    `${THREAD}/messages`,
    {
      config,
      schema: {
        ...common,
        summary: "Send a text in a conversation, or a template; a member who writes takes it over",
        params: threadParamsSchema,
        body: sendMessageSchema,
        response: responses(202, messageQueuedResponseSchema),
      },
    },
    async (request, reply) => {
      const { threadId } = request.params;
      const queued = await sendInThread({ threadId, message: request.body }, actorOf(request), deps);
      return reply.status(202).send(success(queued));
    },
  );
  app.post(
    BEGIN,
    {
      config,
      schema: {
        ...common,
        summary: "Send a template to a number",
        params: channelParamsSchema,
        body: beginThreadSchema,
        response: responses(202, messageQueuedResponseSchema),
      },
    },
    async (request, reply) => {
      const { channelId } = request.params;
      const { to, template } = request.body;
      const queued = await beginThread({ channelId, to, message: { template } }, actorOf(request), deps);
      return reply.status(202).send(success(queued));
    },
  );
}
