import type { Config } from "@parley/shared/config/config.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { Databases } from "../database/open.ts";
import { every } from "../jobs/job-kind.ts";
import type { Module } from "../modules/module.ts";
import type { StoredFiles } from "../records/recordings/stored-files.ts";
import { channelRoutes } from "./channels/routes.ts";
import { Senders } from "./channels/senders.ts";
import type { MessagingDeps } from "./deps.ts";
import { erasesMessages, forgetContacts, WRITTEN } from "./erase-messages.ts";
import { deletesMedia } from "./inbound/delete-media.ts";
import { MediaLinks } from "./inbound/media-links.ts";
import { mediaRoute } from "./inbound/media-route.ts";
import { deleteOldStatuses } from "./inbound/old-statuses.ts";
import { pullsMedia } from "./inbound/pull-media.ts";
import { answersThreads } from "./outbound/answer-thread.ts";
import { sendsThreads } from "./outbound/send-thread.ts";
import { threadActionRoutes } from "./threads/action-routes.ts";
import { threadRoutes } from "./threads/routes.ts";
import { templateRoute } from "./whatsapp/template-route.ts";
import { whatsAppWebhookRoutes } from "./whatsapp/webhook-routes.ts";

export interface MessagingModuleDeps
  extends Omit<MessagingDeps, "senders" | "reach" | "database" | "files" | "mediaLinks"> {
  readonly secretsKey: string;
  readonly recordings: StoredFiles;
  readonly database: Databases;
  readonly config: Pick<Config, "integrations">;
  readonly egress: Pick<Egress, "to">;
}

const TIDY_EVERY_MS = 3_600_000;

/** Channels over which people write: their senders, conversations, and what goes in and out. */
export function openMessaging(given: MessagingModuleDeps): Module {
  const { config, database, secrets, clock } = given;
  const reach = {
    dispatchers: given.egress.to("messaging"),
    url: config.integrations.vendorUrls.whatsapp,
  };
  const files = given.recordings;
  const mediaLinks = new MediaLinks(given);
  const deps = { ...given, files, mediaLinks, reach, senders: new Senders({ database, secrets, reach }) };
  const background = { ...deps, database: database.background };
  return {
    name: "messaging",
    routes: async (app) => {
      channelRoutes(app, deps);
      templateRoute(app, deps);
      threadRoutes(app, deps);
      threadActionRoutes(app, deps);
      mediaRoute(app, deps);
      await whatsAppWebhookRoutes(app, deps);
    },
    jobs: [
      answersThreads(background),
      sendsThreads(background),
      pullsMedia(background),
      deletesMedia(background),
      every(TIDY_EVERY_MS, "delete_old_message_statuses", () =>
        deleteOldStatuses(database.background, new Date(clock.wallMs())),
      ),
    ],
    eraseContent: erasesMessages(given.queue),
    forgetPeople: forgetContacts,
    personalData: [WRITTEN],
  };
}
