import type { Config } from "@parley/shared/config/config.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { buildCarriers } from "./build-carriers.ts";
import { buildChat, type ChatPartsDeps } from "./build-chat.ts";
import type { IdentityParts } from "./build-identity.ts";
import { buildTelephony, type TelephonyDeps } from "./build-telephony.ts";
import { buildWebhooks, type WebhooksDeps } from "./build-webhooks.ts";
import { stopRingingAt } from "./channels/softphones/incoming-calls.ts";
import type { Databases } from "./database/open.ts";
import type { Raise } from "./records/recorder/batches.ts";
import { RecordingLinks, type RecordingLinksDeps } from "./records/recordings/recording-links.ts";
import { startRecordingReaper } from "./records/recordings/recording-reaper.ts";
import { openStoredFiles } from "./records/recordings/stored-files.ts";
import { sweepTracks } from "./records/tracks/tracks.ts";
import type { UrlRules } from "./webhooks/url-rules.ts";

type Given = Omit<ChatPartsDeps, "secrets" | "config" | "background"> &
  Omit<WebhooksDeps, "secrets" | "messenger" | "recordingLinks" | "config" | "database"> &
  Omit<TelephonyDeps, "carriers" | "recordings"> &
  Omit<RecordingLinksDeps, "config">;

export interface CapabilitiesDeps extends Given {
  readonly config: Config;
  readonly database: Databases;
  readonly parts: IdentityParts;
  readonly urlRules: UrlRules;
}

/** Everything that goes on beside the answering of requests, put together; `start` when the API listens. */
export function buildCapabilities(deps: CapabilitiesDeps) {
  const { config, parts, urlRules } = deps;
  const { secrets, messenger } = parts;
  const { background } = deps.database;
  const recordingLinks = new RecordingLinks(deps);
  const recordings = openStoredFiles(config.storage);
  const webhooks = buildWebhooks({ ...deps, database: background, secrets, messenger, recordingLinks });
  const carrierParts = buildCarriers({ ...deps, ...urlRules, secrets });
  const telephony = buildTelephony({ ...deps, carriers: carrierParts.carriers, recordings });
  const chat = buildChat({ ...deps, background, secrets });
  let stopReaper: () => void = () => undefined;
  const raise: Raise = webhooks.raise;
  return {
    /** What the API's routes use of it. */
    forRoutes: {
      recordingLinks,
      recordings,
      carrierParts,
      chat: chat.parts,
      phoneCalls: telephony.phoneCalls,
      loopback: telephony.loopback,
      announceDeliveries: raise.committed,
    },
    /** What the recorder tells. */
    forRecorder: {
      raise,
      onRecorded: (event: CallEvent) => {
        void telephony.phoneCalls.recorded(event);
        void stopRingingAt(event, deps);
      },
    },
    start: () => {
      const { retentionDays: defaultDays } = config.recordings;
      const stored = { ...deps, database: background, recordings };
      stopReaper = startRecordingReaper({ ...stored, defaultDays, sweepTracks: () => sweepTracks(stored) });
      chat.sweeper.start();
    },
    /** Takes nothing new; what was begun is finished. */
    close: async () => {
      stopReaper();
      await telephony.close();
      await chat.sweeper.stop();
      await chat.close();
    },
    /** After the recorder, which still raises. */
    closeLast: async () => {
      await webhooks.close();
      await carrierParts.close();
    },
  };
}
