import type { Bus } from "@parley/shared/bus/bus.ts";
import { FrameSources } from "@parley/shared/bus/frame-sources.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Egress } from "@parley/shared/net/egress.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Databases } from "../database/open.ts";
import type { Limits } from "../http/limits/limits.ts";
import type { Reads } from "../http/reads.ts";
import type { Audit } from "../identity/audit/audit.ts";
import type { SigningKeys } from "../identity/sign-ins/signing-keys.ts";
import type { Integrations } from "../integrations/module.ts";
import { every } from "../jobs/job-kind.ts";
import type { Knowledge } from "../knowledge/module.ts";
import { deleteEnded } from "../modules/delete-ended.ts";
import type { Module } from "../modules/module.ts";
import type { StoredFiles } from "../records/recordings/stored-files.ts";
import { DataKeys } from "../sealed/data-keys.ts";
import type { ToolExecutors } from "../tools/executor.ts";
import { type AiDeps, aiMethods } from "./ai/methods.ts";
import { type AppSpeechDeps, appSpeechRoutes } from "./ai/speech-routes.ts";
import { appAgentRoutes } from "./backend/agent-routes.ts";
import { Bridge, type BridgeDeps } from "./bridge/bridge.ts";
import { FrameBounds } from "./bridge/frame-bounds.ts";
import { PageStreams } from "./bridge/page-streams.ts";
import { bridgeRoutes } from "./bridge/routes.ts";
import { BridgeStreams } from "./bridge/streams.ts";
import { BesideChecks } from "./bundles/check-beside.ts";
import { bundleRoutes } from "./bundles/routes.ts";
import type { AppParts } from "./deps.ts";
import { fileMethods, sweepFiles } from "./files/methods.ts";
import { FrameTokens } from "./frames/frame-token.ts";
import { frameRoutes } from "./frames/routes.ts";
import { HostBreakers } from "./http/host-breakers.ts";
import { httpMethods } from "./http/methods.ts";
import { installRoutes } from "./installs/routes.ts";
import { appKeyRoutes } from "./keys/routes.ts";
import { linkMethods } from "./links/methods.ts";
import { linkRoutes, type OpenLinkDeps } from "./links/routes.ts";
import { deleteOldLinks } from "./links/store.ts";
import { agentMethods } from "./methods/agents.ts";
import { type CallsDeps, callMethods } from "./methods/calls.ts";
import { campaignMethods } from "./methods/campaigns.ts";
import { type ConnectorsDeps, connectorMethods } from "./methods/connectors.ts";
import { liveCallSubscriptions } from "./methods/live-calls.ts";
import { peopleMethods } from "./methods/people.ts";
import { publicLinkMethods } from "./methods/public-links.ts";
import { type WhatsappDeps, whatsappMethods } from "./methods/whatsapp.ts";
import { dataSubscriptions } from "./records/changes.ts";
import { dataMethods } from "./records/methods.ts";
import { deleteRemoved } from "./records/remove-data.ts";
import { embedsRecords } from "./records/search/embed-records.ts";
import { stemsRecords } from "./records/search/stem-records.ts";

const DELETE_EVERY_MS = 60_000;

export interface AppsDeps {
  readonly database: Databases;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: Audit;
  readonly limits: Limits;
  readonly secrets: SecretBox;
  readonly reads: Reads;
  /** Where bytes are stored. */
  readonly recordings: StoredFiles;
  readonly egress: Pick<Egress, "to">;
  readonly queue: WhatsappDeps["queue"];
  readonly signingKeys: Pick<SigningKeys, "current">;
  readonly toolExecutors: ToolExecutors;
  readonly placeCall: CallsDeps["placeCall"];
  readonly runCapability: ConnectorsDeps["runCapability"];
  readonly authorize: Integrations["authorize"];
  /** Searches records by meaning; undefined without an embeddings service. */
  readonly vectors: Knowledge["vectors"];
  readonly beginVisit: OpenLinkDeps["beginVisit"];
  readonly config: AppSpeechDeps["config"];
  readonly modelMeter: AiDeps["modelMeter"] & AppSpeechDeps["modelMeter"];
  /** Counts a call of a frame as usage of the organization. */
  readonly countAppCall: BridgeDeps["countCall"];
  /** The base URL of this API as people reach it. */
  readonly baseUrl: () => string;
}

/** Apps inside the dashboard: publishing, installs, and the methods of their frames. */
export function openApps(deps: AppsDeps): Module {
  const { clock, secrets, database } = deps;
  const nowMs = (): number => clock.wallMs();
  const parts: AppParts = {
    ...deps,
    dataKeys: new DataKeys({ secrets, nowMs }),
    checks: new BesideChecks(clock),
  };
  const tokens = new FrameTokens({ secrets, nowMs });
  const bridge = openBridge({ ...deps, dataKeys: parts.dataKeys }, tokens);
  const streamsDeps = { ...deps, ...deps.bus, bridge };
  const streams = new BridgeStreams(streamsDeps);
  const pageStreams = new PageStreams(streamsDeps);
  return {
    name: "apps",
    routes: async (app) => {
      await bundleRoutes(app, parts);
      installRoutes(app, parts);
      appKeyRoutes(app, parts);
      frameRoutes(app, { ...parts, tokens });
      linkRoutes(app, deps);
      appAgentRoutes(app, deps);
      appSpeechRoutes(app, deps);
      await bridgeRoutes(app, { ...deps, bridge, streams, pageStreams });
    },
    jobs: [
      every(DELETE_EVERY_MS, "delete_app_data", (signal) => deleteRemoved(database.background, signal)),
      deleteEnded("apps", [deleteOldLinks], { ...deps, database: database.background }),
      every(DELETE_EVERY_MS, "sweep_app_files", (signal) =>
        sweepFiles({ ...deps, database: database.background }, signal),
      ),
      stemsRecords(database.background),
      ...(deps.vectors
        ? [embedsRecords({ ...deps, database: database.background, vectors: deps.vectors })]
        : []),
    ],
  };
}

/** Assembles the method handlers; later capabilities add theirs here. */
function openBridge(deps: AppsDeps & Pick<AppParts, "dataKeys">, tokens: FrameTokens): Bridge {
  const { database, bus, clock, egress } = deps;
  const nowMs = (): number => clock.monotonicMs();
  return new Bridge({
    ...deps,
    countCall: deps.countAppCall,
    tokens,
    bounds: new FrameBounds(nowMs),
    handlers: {
      ...dataMethods({ ...deps, channels: bus.channels }),
      ...callMethods(deps),
      ...campaignMethods(deps),
      ...agentMethods({ ...deps, channels: bus.channels }),
      ...publicLinkMethods(deps),
      ...linkMethods(deps),
      ...aiMethods(deps),
      ...connectorMethods(deps),
      ...peopleMethods(deps),
      ...whatsappMethods(deps),
      ...fileMethods(deps),
      ...httpMethods({
        ...deps,
        db: database.db,
        dispatchers: egress.to("app"),
        breakers: new HostBreakers(nowMs),
      }),
    },
    subscriptions: {
      ...dataSubscriptions(deps),
      ...liveCallSubscriptions({ ...deps, frames: new FrameSources({ ...bus, clock }) }),
    },
  });
}
