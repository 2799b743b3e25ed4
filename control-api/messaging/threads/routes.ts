import {
  messagesQuerySchema,
  messagesResponseSchema,
  threadParamsSchema,
  threadResponseSchema,
  threadsQuerySchema,
  threadsResponseSchema,
} from "@parley/shared/contracts/messaging.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { CHANNELS_READ } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import type { MessagingDeps } from "../deps.ts";
import { listMessages, listThreads, readThread } from "./thread-lists.ts";

const THREADS = "/api/orgs/:orgId/whatsapp-hub/threads";
const common = { tags: ["whatsapp"], security: KEY_OR_USER_SECURITY };

/** `/api/orgs/{orgId}/whatsapp-hub/threads`: conversations and their messages. */
export function threadRoutes(app: Api, { database, reads, clock, mediaLinks }: MessagingDeps): void {
  const config = { access: CHANNELS_READ };
  app.get(
    THREADS,
    {
      config,
      schema: {
        ...common,
        summary: "List conversations, those with the newest messages first",
        params: orgParamsSchema,
        querystring: threadsQuerySchema,
        response: responses(200, threadsResponseSchema),
      },
    },
    async (request) => {
      const who = actorOf(request);
      const list = (own: typeof database) => listThreads(own.db, who.orgId, request.query, clock.wallMs());
      return success({ threads: await reads.run(who, list) });
    },
  );
  app.get(
    `${THREADS}/:threadId`,
    {
      config,
      schema: {
        ...common,
        summary: "Read who a conversation is with, and who answers",
        params: threadParamsSchema,
        response: responses(200, threadResponseSchema),
      },
    },
    async (request) =>
      success(await readThread(database.db, actorOf(request).orgId, request.params.threadId, clock.wallMs())),
  );
  app.get(
    `${THREADS}/:threadId/messages`,
    {
      config,
      schema: {
        ...common,
        summary: "Read the newest messages of a conversation, or those before one of them; oldest first",
        params: threadParamsSchema,
        querystring: messagesQuerySchema,
        response: responses(200, messagesResponseSchema),
      },
    },
    async (request) => {
      const who = actorOf(request);
      const { threadId } = request.params;
      await readThread(database.db, who.orgId, threadId, clock.wallMs());
      const wanted = { threadId, ...request.query };
      return success({ messages: await reads.run(who, (own) => listMessages(own.db, wanted, mediaLinks)) });
    },
  );
}
