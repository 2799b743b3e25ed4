import { createSttVendors } from "@parley/media/stt/create.ts";
import { createTtsVendors } from "@parley/media/tts/create.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { Databases } from "../database/open.ts";
import { every } from "../jobs/job-kind.ts";
import type { Module } from "../modules/module.ts";
import type { StoredFiles } from "../records/recordings/stored-files.ts";
import { Senders } from "./channels/senders.ts";
import type { MessagingDeps } from "./deps.ts";
import { contactsWithoutSession, erasesMessages, forgetsContacts, WRITTEN } from "./erase-messages.ts";
import { deletesMedia } from "./inbound/delete-media.ts";
import { learnsNames } from "./inbound/learn-name.ts";
import { MediaLinks } from "./inbound/media-links.ts";
import { mediaRoute } from "./inbound/media-route.ts";
import { deleteOldStatuses } from "./inbound/old-statuses.ts";
import { pullsMedia } from "./inbound/pull-media.ts";
import { instagramChannelRoutes } from "./instagram/channel-routes.ts";
import { refreshTokens } from "./instagram/refresh-tokens.ts";
import { choicesAlone } from "./opt-out/forget-choices.ts";
import { answersThreads } from "./outbound/answer-thread.ts";
import { sendsThreads } from "./outbound/send-thread.ts";
import { threadActionRoutes } from "./threads/action-routes.ts";
import { threadRoutes } from "./threads/routes.ts";
import { channelWebhookRoutes } from "./webhook/webhook-routes.ts";
import { whatsAppChannelRoutes } from "./whatsapp/channel-routes.ts";
import { templateRoute } from "./whatsapp/template-route.ts";

export interface MessagingModuleDeps
  extends Omit<
    MessagingDeps,
    "senders" | "reach" | "recognizers" | "voices" | "database" | "files" | "mediaLinks"
  > {
  readonly secretsKey: string;
  readonly recordings: StoredFiles;
  readonly database: Databases;
  readonly config: Pick<Config, "integrations" | "speech">;
  readonly egress: Pick<Egress, "to">;
}

const TIDY_EVERY_MS = 3_600_000;

/** Messaging channels: senders, conversations, and inbound and outbound messages. */
export function openMessaging(given: MessagingModuleDeps): Module {
  const { config, database, secrets, clock } = given;
  const reach = {
    dispatchers: given.egress.to("messaging"),
    vendorUrls: config.integrations.vendorUrls,
  };
  const files = given.recordings;
  const mediaLinks = new MediaLinks(given);
  const recognizers = createSttVendors(config.speech, { clock });
  const voices = createTtsVendors(config.speech, { clock });
  const senders = new Senders({ database, secrets, reach });
  const deps = { ...given, files, mediaLinks, reach, recognizers, voices, senders };
  const background = { ...deps, database: database.background };
  return {
    name: "messaging",
    routes: async (app) => {
      whatsAppChannelRoutes(app, deps);
      instagramChannelRoutes(app, deps);
      templateRoute(app, deps);
      threadRoutes(app, deps);
      threadActionRoutes(app, deps);
      mediaRoute(app, deps);
      await channelWebhookRoutes(app, "whatsapp", deps);
      await channelWebhookRoutes(app, "instagram", deps);
    },
    jobs: [
      answersThreads(background),
      sendsThreads(background),
      pullsMedia(background),
      deletesMedia(background),
      learnsNames(background),
      every(TIDY_EVERY_MS, "refresh_instagram_tokens", (signal) => refreshTokens(background, signal)),
      every(TIDY_EVERY_MS, "delete_old_message_statuses", () =>
        deleteOldStatuses(database.background, new Date(clock.wallMs())),
      ),
    ],
    stop: async () => {
      await Promise.all([...voices.values()].map((voice) => voice.close?.()));
    },
    eraseContent: erasesMessages(given.queue),
    forgetPeople: forgetsContacts(secrets),
    personalData: [WRITTEN],
    knownPeople: [choicesAlone(secrets), contactsWithoutSession(given.queue, secrets)],
  };
}
