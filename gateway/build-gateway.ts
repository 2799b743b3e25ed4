import { join } from "node:path";
import type { EndOfTurnModel } from "@parley/media/end-of-turn/end-of-turn-model.ts";
import { SpeechBreakers } from "@parley/media/speech-breaker.ts";
import { createSttVendors } from "@parley/media/stt/create.ts";
import { createTtsVendors } from "@parley/media/tts/create.ts";
import { KeptSpeech } from "@parley/media/tts/kept-speech.ts";
import { newBrainClient } from "@parley/shared/brain/new-brain-client.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import { FrameSources } from "@parley/shared/bus/frame-sources.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { AnyPlan } from "@parley/shared/contracts/call-plan.ts";
import type { GatewayNode } from "@parley/shared/contracts/gateway-nodes.ts";
import { measureDiskRoom } from "@parley/shared/disk-room.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { Egress } from "@parley/shared/net/egress.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import { ownAddress } from "@parley/shared/net/own-address.ts";
import { announceTarget } from "@parley/shared/nodes/scrape-list.ts";
import { MessageBox } from "@parley/shared/security/message-box.ts";
import { PlanBox } from "@parley/shared/security/plan-box.ts";
import { createTicketVerifier } from "@parley/shared/security/tickets.ts";
import { BusTools } from "@parley/shared/tool-runs/bus-tools.ts";
import { openTracer } from "@parley/shared/tracing/open.ts";
import type { Tracer } from "@parley/shared/tracing/tracer.ts";
import { createCallRoute, createMediaRoute } from "./admission/admission.ts";
import { openCall } from "./agent-call/call-factory.ts";
import { followDeletions } from "./agent-call/deletions.ts";
import { openFrontEnd } from "./agent-call/front-end.ts";
import { openEndOfTurnModel } from "./agent-call/open-end-of-turn-model.ts";
import { Speech } from "./agent-call/speech.ts";
import { CallRegistry } from "./call/registry.ts";
import { CallEventLog } from "./events/call-event-log.ts";
import { EventFile } from "./events/event-file.ts";
import { FileSpill } from "./events/file-spill.ts";
import { MemorySpill } from "./events/memory-spill.ts";
import { openManualCall } from "./manual-call/open-manual-call.ts";
import { openTrackFiles } from "./manual-call/track-files.ts";
import { createWavSource } from "./manual-call/wav-source.ts";
import { callsThatFit, maxOpenFiles } from "./nodes/capacity.ts";
import { drain } from "./nodes/drain.ts";
import { type Registration, startRegistration } from "./nodes/registration.ts";
import { Renewals } from "./nodes/renewals.ts";
import { openRecordingStore } from "./recordings/open-store.ts";
import { RecordingNotes } from "./recordings/recording-notes.ts";
import { type NodeFolder, nodeFolder, removeIfEmpty } from "./recovery/node-folder.ts";
import { Recovery } from "./recovery/recovery.ts";
import { startServer } from "./uws/server.ts";
import type { SocketRoute } from "./uws/socket-port.ts";
import { isLive } from "./watch/is-live.ts";
import { RecentChanges } from "./watch/recent-changes.ts";
import { createStreamRoute } from "./watch/stream-route.ts";

/** Maximum unsent bytes for a caller who does not read: about half a minute of 16 kHz audio. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** How long a closing node may take to hand over its last events. */
const EVENT_FLUSH_MS = 5_000;

export interface GatewayDeps {
  readonly config: Config;
  readonly bus: Bus;
  readonly ticketPublicKeyPem: string;
  /** A `keyId:base64` list, in the format of PLAN_KEY. */
  readonly planKey: string;
  /** CIDRs that brains may use besides public addresses. */
  readonly allowPrivateTargets: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface Gateway {
  readonly nodeId: string;
  readonly port: number;
  /** The URL at which callers reach this node. */
  readonly publicUrl: string;
  readonly sttVendors: readonly string[];
  /** Takes no new calls, lets the live ones end within the drain timeout, then closes. */
  drain(): Promise<void>;
  /** Ends every call now, hands over the last events and closes. */
  close(): Promise<void>;
}

/** Builds one gateway node; the only place that says `new`. */
export async function buildGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, bus, clock, log, metrics } = deps;
  const nodeId = newId("nod");
  const maxCalls = callsThatFit(config.gateway.maxCalls, maxOpenFiles(), log);
  const node = { isDraining: false };
  const folder = nodeFolder(config.storage.dataDir, nodeId);
  const core = await openCore({ ...deps, maxCalls }, folder);
  const server = await startServer({
    host: config.http.host,
    port: config.http.gatewayPort,
    limits: {
      maxMessageBytes: config.gateway.maxMessageBytes,
      maxBufferedBytes: MAX_BUFFERED_BYTES,
      idleTimeoutSecs: config.gateway.idleTimeoutSecs,
    },
    ...callRoutes(deps, core, { nodeId, isDraining: () => node.isDraining }),
    streams: streamRoute(deps, core),
    ...observers(deps, maxCalls),
    readiness: () => {
      if (node.isDraining) return { ready: false, reason: "draining" };
      return bus.isReady()
        ? { ready: true }
        : { ready: false, reason: "the bus is not available or accepts no writes" };
    },
  });
  const host = config.http.host === "0.0.0.0" ? "127.0.0.1" : config.http.host;
  const publicUrl = config.http.gatewayPublicUrl ?? `ws://${host}:${server.port}`;
  const sttVendors = [...core.stt.keys()];
  const describe = (): GatewayNode => ({
    nodeId,
    publicUrl,
    calls: core.registry.size,
    maxCalls,
    draining: node.isDraining,
    sttVendors,
  });
  const registration = await register(deps, { core, describe, port: server.port });
  core.recovery.start();
  const closeOnce = async (): Promise<void> => {
    server.stopListening();
    await core.registry.endAll();
    const unsent = await core.events.close(EVENT_FLUSH_MS);
    if (unsent > 0)
      log.error({ event: "events_left", unsent }, "events wait in DATA_DIR for the next gateway there");
    await core.recovery.stop();
    await removeIfEmpty(folder);
    await registration.stop();
    await server.close();
    await closeCore(core);
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeOnce();
    return closing;
  };
  const drainAndClose = async (): Promise<void> => {
    node.isDraining = true;
    metrics.draining.set(1);
    await registration.refresh();
    await drain({ registry: core.registry, clock, log, timeoutMs: config.gateway.drainTimeoutMs });
    await close();
  };
  return { nodeId, port: server.port, publicUrl, sttVendors, drain: drainAndClose, close };
}

/** Keeps the node on the list of those that take calls, and on that of Prometheus. */
async function register(
  { config, bus, clock, log }: GatewayDeps,
  { core, describe, port }: { core: Core; describe: () => GatewayNode; port: number },
): Promise<Registration> {
  const { keys } = bus;
  const registration = await startRegistration({
    keys,
    clock,
    log,
    describe,
    outages: () => bus.outages(),
    onForgotten: () => core.renewals.writeAll(),
  });
  const address = ownAddress({ ...config.http, port });
  const leaveTargets = announceTarget({ job: "gateway", address }, { keys, clock, log });
  return {
    refresh: registration.refresh,
    stop: async () => {
      await Promise.all([registration.stop(), leaveTargets()]);
    },
  };
}

type Core = ReturnType<typeof buildCore> & {
  readonly tracer: Tracer;
  readonly endOfTurn: EndOfTurnModel | undefined;
  readonly accessChanges: RecentChanges;
};

/** Loads the end-of-turn model before opening anything else, so that a model that does not fit fails first. */
async function openCore(
  deps: GatewayDeps & { readonly maxCalls: number },
  folder: NodeFolder,
): Promise<Core> {
  const { config, clock, metrics } = deps;
  const endOfTurn = await openEndOfTurnModel({ ...config.endOfTurn, clock, metrics });
  const tracer = await openTracer({ ...config.tracing, clock });
  const accessChanges = await RecentChanges.follow(deps);
  return { ...buildCore(deps, folder), accessChanges, tracer, endOfTurn };
}

/** Builds what all calls of the node share. */
function buildCore(
  { config, bus, clock, log, metrics, maxCalls, ...deps }: GatewayDeps & { readonly maxCalls: number },
  folder: NodeFolder,
) {
  const { eventSpillMax: maxEvents } = config.gateway;
  const { dataDir } = config.storage;
  const directory = join(dataDir, "recordings");
  const recordings = openRecordingStore(config.storage, directory);
  const recordingNotes = new RecordingNotes(folder.recordingsPath);
  const memory = new MemorySpill(maxEvents, () => metrics.callEventsLostTotal.inc());
  const file = new EventFile(folder.eventsPath, log);
  const egress = openEgress({ ...deps, config, clock, metrics });
  const controlApiTools = new BusTools({ ...bus, messages: new MessageBox(deps.planKey), clock, log });
  const stt = createSttVendors(config.speech, { clock });
  const tts = createTtsVendors(config.speech, { clock });
  for (const voice of tts.values()) voice.warm?.();
  const keptSpeech = new KeptSpeech(clock);
  const registry = new CallRegistry({
    clock,
    maxCalls,
    onTickFailed: (error, sessionId) =>
      log.error(
        { event: "call_tick_failed", err: messageOf(error), sessionId },
        "failed to advance a call, it is ended",
      ),
    onSize: (calls) => {
      metrics.liveCalls.set(calls);
      metrics.callsShare.set(calls / maxCalls);
    },
  });
  const callShare = (): number => registry.size / maxCalls;
  return {
    unfollow: followDeletions(bus.channels, keptSpeech, log),
    renewals: new Renewals(),
    registry,
    frontEnd: config.speech.hasFrontEnd ? openFrontEnd({ clock, log, metrics, callShare }) : undefined,
    events: new CallEventLog({
      streams: bus.streams,
      clock,
      log,
      metrics,
      spill: new FileSpill({ memory, file, maxEvents, clock }),
    }),
    stt,
    tts,
    speech: new Speech({
      stt,
      tts,
      kept: keptSpeech,
      breakers: new SpeechBreakers(clock),
      now: () => clock.monotonicMs(),
      metrics,
    }),
    egress,
    brain: newBrainClient({ config, egress, controlApiTools, clock, log, metrics }),
    controlApiTools,
    wavs: createWavSource(egress.to("playback"), openTrackFiles(config.storage, directory)),
    recordings,
    recordingNotes,
    recovery: new Recovery({
      dataDir,
      nodeId: folder.ownerId,
      bus,
      recordings,
      notes: recordingNotes,
      clock,
      log,
    }),
    plans: new PlanBox(deps.planKey),
    tickets: createTicketVerifier({ publicKeyPem: deps.ticketPublicKeyPem, clock }),
  };
}

/** Everything that leaves the node for a customer's address. */
function openEgress({
  config,
  clock,
  metrics,
  allowPrivateTargets,
}: Pick<GatewayDeps, "config" | "clock" | "metrics" | "allowPrivateTargets">): Egress {
  const resolve = createSystemResolver({ clock, servers: config.dns.servers });
  const names = new NameLookups({ resolve, clock });
  return new Egress({ allowPrivateTargets, names, clock, metrics });
}

/** Routes for callers: call sockets and carriers' media sockets. */
function callRoutes(
  deps: GatewayDeps,
  core: Core,
  node: { nodeId: string; isDraining: () => boolean },
): { calls: SocketRoute; media: SocketRoute } {
  const { config, bus, clock, log, metrics } = deps;
  const { audioLeadMs: leadMs, resumeWindowMs, startTimeoutMs } = config.gateway;
  const shared = { ...core, bus, clock, log, metrics };
  const frontEnd = core.frontEnd?.allotment;
  const forCalls = { ...shared, frontEnd, nodeId: node.nodeId, leadMs, resumeWindowMs };
  const admission = {
    ...shared,
    startTimeoutMs,
    isDraining: node.isDraining,
    openCall: async (plan: AnyPlan) =>
      plan.mode === "manual" ? openManualCall(plan, forCalls) : openCall(plan, forCalls),
  };
  return { calls: createCallRoute(admission), media: createMediaRoute(admission) };
}

function streamRoute(
  { config, bus, clock, log, metrics }: GatewayDeps,
  { registry, tickets, accessChanges }: Core,
): SocketRoute {
  return createStreamRoute({
    tickets,
    sources: new FrameSources({ channels: bus.channels, keys: bus.keys, clock }),
    channels: bus.channels,
    changes: accessChanges,
    isLive: (sessionId) => isLive(sessionId, { bus, registry }),
    clock,
    watcherBufferBytes: config.gateway.watcherBufferBytes,
    onFramesDropped: (frames) => metrics.watcherFramesDroppedTotal.inc(frames),
    log,
  });
}

function observers({ config, bus, log, metrics }: GatewayDeps, maxCalls: number) {
  metrics.maxCalls.set(maxCalls);
  metrics.eventSpillMax.set(config.gateway.eventSpillMax);
  return {
    onRefused: (reason: string) => metrics.refusedUpgradesTotal.inc({ reason }),
    onCallSockets: (change: number) => metrics.callSockets.inc(change),
    onWatchers: (change: number) => metrics.watchers.inc(change),
    metricsText: async () => {
      metrics.busReady.set(bus.isReady() ? 1 : 0);
      await measureDiskRoom(config.storage.dataDir, metrics);
      return { contentType: metrics.contentType, text: await metrics.text() };
    },
    log,
  };
}

async function closeCore({ registry, frontEnd, unfollow, accessChanges, ...core }: Core): Promise<void> {
  const { egress, endOfTurn, tts, tracer, controlApiTools } = core;
  registry.close();
  core.renewals.close();
  await (await unfollow)();
  await accessChanges.stop();
  await controlApiTools.close();
  await frontEnd?.close();
  await tracer.close();
  const voices = [...tts.values()];
  await Promise.all([egress.close(), endOfTurn?.close(), ...voices.map((voice) => voice.close?.())]);
}
