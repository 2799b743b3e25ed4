import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Databases } from "../database/open.ts";
import type { Reads } from "../http/reads.ts";
import type { Audit } from "../identity/audit/audit.ts";
import { every } from "../jobs/job-kind.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { ComposedModules } from "../modules/compose-modules.ts";
import type { Module } from "../modules/module.ts";
import type { EventFeed } from "../subscriptions/event-feed.ts";
import { countsReaper } from "./analytics/counts-reaper.ts";
import { rollsUpDays } from "./analytics/roll-up.ts";
import { analyticsRoutes } from "./analytics/routes.ts";
import { orgCallRoutes } from "./calls/org-routes.ts";
import { callRoutes, type DeliveriesOf } from "./calls/routes.ts";
import { tellChange } from "./changes/org-changes.ts";
import { changeRoutes } from "./changes/routes.ts";
import { RECORDED } from "./people/kinds.ts";
import { peopleRoutes } from "./people/routes.ts";
import { EventProjectors } from "./projector/event-projectors.ts";
import { SWEEP_EVERY_MS, Sweeper } from "./projector/sweeper.ts";
import { compressesRecordings, deleteReplaced, queuesCompression } from "./recordings/compress.ts";
import { eraseCallContent } from "./recordings/content-store.ts";
import { orgRecordingListRoutes } from "./recordings/org-list-routes.ts";
import { orgRecordingRoutes } from "./recordings/org-routes.ts";
import { publicRecordingRoute } from "./recordings/public-route.ts";
import { RecordingLinks, type RecordingLinksDeps } from "./recordings/recording-links.ts";
import { recordingReaper } from "./recordings/recording-reaper.ts";
import { openStoredFiles, type StoredFiles } from "./recordings/stored-files.ts";
import { Waveforms } from "./recordings/waveforms.ts";
import { forgetsEvents } from "./retention/forget-events.ts";
import { retentionRoutes } from "./retention/routes.ts";
import { trackRoutes } from "./tracks/routes.ts";
import { sweepTracks } from "./tracks/tracks.ts";

/** How often the WAV files of compressed recordings are deleted. */
const REPLACED_EVERY_MS = 60_000;

export interface RecordsDeps extends RecordingLinksDeps {
  readonly config: Config;
  readonly bus: Bus;
  readonly database: Databases;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly audit: Audit;
  /** What all districts do with recorded events and erased calls. */
  readonly all: ComposedModules;
  readonly feed: EventFeed;
  readonly queue: JobQueue;
  /** The deliveries about a call. */
  readonly deliveriesOf: DeliveriesOf;
}

/** Stored calls: written from their events, listed, played, and erased in time. */
export function openRecords(deps: RecordsDeps): {
  module: Module;
  recordings: StoredFiles;
  recordingLinks: RecordingLinks;
} {
  const { retentionDays: defaultDays } = deps.config.recordings;
  const recordingLinks = new RecordingLinks(deps);
  const recordings = openStoredFiles(deps.config.storage);
  const { eraseContent, forgetPeople, personalData, knownPeople } = deps.all;
  const kept = { ...deps, recordings, recordingLinks, eraseContent };
  const routesDeps = { ...kept, waveforms: new Waveforms(kept) };
  const background = { ...kept, database: deps.database.background };
  const projectors = new EventProjectors({ ...background, onRecorded: deps.all.onCallEvents });
  const sweeper = new Sweeper(background);
  const module: Module = {
    name: "records",
    routes: async (app) => {
      retentionRoutes(app, { ...deps, defaultDays });
      callRoutes(app, routesDeps);
      orgCallRoutes(app, routesDeps);
      changeRoutes(app, deps);
      analyticsRoutes(app, deps);
      orgRecordingListRoutes(app, routesDeps);
      orgRecordingRoutes(app, routesDeps);
      publicRecordingRoute(app, routesDeps);
      peopleRoutes(app, { ...routesDeps, forgetPeople, kinds: personalData, known: knownPeople });
      await trackRoutes(app, routesDeps);
    },
    jobs: [
      recordingReaper({ ...background, defaultDays, sweepTracks: () => sweepTracks(background) }),
      every(REPLACED_EVERY_MS, "delete_replaced_recordings", (signal) => deleteReplaced(background, signal)),
      compressesRecordings(background),
      countsReaper(background),
      forgetsEvents(background),
      rollsUpDays(deps),
    ],
    subscriptions: [queuesCompression({ ...deps, format: deps.config.recordings.format })],
    // A round, because each process measures by itself how long a node has been missing.
    rounds: [{ name: "end lost calls", everyMs: SWEEP_EVERY_MS, run: () => sweeper.sweep() }],
    onCallEvents: (events) => {
      for (const event of events) tellChange(event, { channels: deps.bus.channels, log: deps.log });
    },
    eraseContent: eraseCallContent,
    personalData: RECORDED,
    start: () => projectors.start(),
    stop: () => projectors.stop(),
  };
  return { module, recordings, recordingLinks };
}
