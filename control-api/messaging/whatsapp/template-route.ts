import { channelParamsSchema, templatesResponseSchema } from "@parley/shared/contracts/messaging.ts";
import { CHANNELS_READ } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { findOwnChannel } from "../channels/channel-store.ts";
import { asked } from "../channels/credentials.ts";
import type { MessagingDeps } from "../deps.ts";

/** Templates live at WhatsApp: they are fetched, never stored. */
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
      const { orgId } = actorOf(request);
      await findOwnChannel(database.db, { orgId, provider: "whatsapp", id: channelId });
      const templates = await asked(async () => (await senders.find(channelId))?.sender.templates() ?? []);
      return success({ templates });
    },
  );
}
