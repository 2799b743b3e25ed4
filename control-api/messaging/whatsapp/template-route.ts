import { channelParamsSchema, templatesResponseSchema } from "@parley/shared/contracts/messaging.ts";
import { CHANNELS_READ } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { findChannel } from "../channels/channel-store.ts";
import { asked } from "../channels/credentials.ts";
import type { MessagingDeps } from "../deps.ts";

/** Templates are WhatsApp's: they are asked for, and not kept. */
export function templateRoute(app: Api, { database, senders }: MessagingDeps): void {
  app.get(
    "/api/orgs/:orgId/whatsapp-cloud/channels/:channelId/templates",
    {
      config: { access: CHANNELS_READ },
      schema: {
        tags: ["whatsapp"],
        security: KEY_OR_USER_SECURITY,
        summary: "List the templates of a number's business account, as WhatsApp has them",
        params: channelParamsSchema,
        response: responses(200, templatesResponseSchema),
      },
    },
    async (request) => {
      const { channelId } = request.params;
      await findChannel(database.db, actorOf(request).orgId, channelId);
      const templates = await asked(async () => (await senders.find(channelId))?.sender.templates() ?? []);
      return success({ templates });
    },
  );
}
