import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { watchEventLoop } from "./event-loop-lag.ts";

/**
 * Every metric of Parley, declared once. Names start with `parley_`, times are seconds, sizes bytes;
 * labels are few and never an id. A help text says what to do when the figure is bad.
 */
export type Metrics = ReturnType<typeof createMetrics>;

const LATENCY_BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 15];
const FINE_BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.06, 0.1, 0.25, 0.5, 1, 2];

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const declare = {
    ...latencyMetrics(registry),
    ...conversationMetrics(registry),
    ...recognitionMetrics(registry),
    ...frontEndMetrics(registry),
    ...socketMetrics(registry),
    ...eventMetrics(registry),
    ...httpMetrics(registry),
    ...egressMetrics(registry),
    ...chatMetrics(registry),
    ...roomMetrics(registry),
  };
  watchEventLoop(declare.eventLoopLagSeconds);
  return {
    ...declare,
    contentType: registry.contentType,
    text: (): Promise<string> => registry.metrics(),
  };
}

function latencyMetrics(registry: Registry) {
  const { histogram } = makers(registry);
  return {
    endOfTurnSeconds: histogram(
      "end_of_turn_seconds",
      "End of the caller's voice to turn decided. High: slow recognizer finals, or endpointing.maxMs too long for these callers.",
      LATENCY_BUCKETS,
    ),
    sttFinalSeconds: histogram(
      "stt_final_seconds",
      "Final text asked for to final text given. High: the recognizer is slow; configure another one, or a nearer region.",
      LATENCY_BUCKETS,
      ["vendor"],
    ),
    brainConnectSeconds: histogram(
      "brain_connect_seconds",
      "Request to a brain begun to its response's headers. High: the brain closes idle connections, is far away, or thinks before it answers at all.",
      LATENCY_BUCKETS,
    ),
    brainRequestSeconds: histogram(
      "brain_request_seconds",
      "Turn decided to request on the wire. High: connections to the brain are opened again, or apps tell late what they played.",
      LATENCY_BUCKETS,
    ),
    firstClauseSeconds: histogram(
      "first_clause_seconds",
      "First content of the brain to first clause handed to the voice. High: the model is slow between tokens, or its first sentences are long; lower clauseFlushMs.",
      LATENCY_BUCKETS,
    ),
    brainFirstTokenSeconds: histogram(
      "brain_first_token_seconds",
      "Request on the wire to the brain's first content. High: look at the customer's endpoint and its model.",
      LATENCY_BUCKETS,
    ),
    ttsFirstByteSeconds: histogram(
      "tts_first_byte_seconds",
      "First clause handed to the voice to its first audio. High: the voice vendor is slow, or the flite workers are too few.",
      LATENCY_BUCKETS,
      ["vendor"],
    ),
    responseSeconds: histogram(
      "response_seconds",
      "The caller stopped speaking to first agent audio on the socket: what the caller feels. Compare its parts to see who is late.",
      LATENCY_BUCKETS,
    ),
    deadAirSeconds: histogram(
      "dead_air_seconds",
      "The longest stretch of each answered turn in which the caller heard nothing, from the end of their voice. High: lower waiting.afterMs and againAfterMs, or see which part of response_seconds is slow.",
      LATENCY_BUCKETS,
    ),
    bargeInStopSeconds: histogram(
      "barge_in_stop_seconds",
      "Enough voice, or the words, that interrupt the agent to clear on the socket. Must stay below 0.02; more means the event loop is blocked or audio comes late.",
      LATENCY_BUCKETS,
    ),
    frameLatenessSeconds: histogram(
      "frame_lateness_seconds",
      "Agent audio frames sent after their playing time, by how much. Any growth means choppy audio: too many calls on this node.",
      FINE_BUCKETS,
    ),
  };
}

function conversationMetrics(registry: Registry) {
  const { counter } = makers(registry);
  return {
    brainErrorsTotal: counter(
      "brain_errors_total",
      "Turns a brain failed, by cause. Tell the owner of the brain.",
      ["cause"],
    ),
    brainUnknownEventsTotal: counter(
      "brain_unknown_events_total",
      "Control events no gateway knows. A brain is newer than this gateway, or misspells.",
    ),
    brainStreamsWithoutDoneTotal: counter(
      "brain_streams_without_done_total",
      "Answers that ended without [DONE]. Harmless, but the brain may be cut off by a proxy.",
    ),
    brainTransfersTotal: counter(
      "brain_transfers_total",
      "Times a brain asked to hand its caller over. Compare with the transfers that were made.",
    ),
    phoneCallsTotal: counter(
      "phone_calls_total",
      "Phone calls that are over, by carrier and outcome. Many failed: the carrier refuses the account or its numbers, read what it answers; many no-answer at once: look whether the numbers are marked as spam.",
      ["carrier", "outcome"],
    ),
    speechErrorsTotal: counter(
      "speech_errors_total",
      "Failures of speech vendors. Check the vendor's status and the key.",
      ["vendor", "kind"],
    ),
    speechFallbacksTotal: counter(
      "speech_fallbacks_total",
      "Times a call went on with the next vendor. Many: the first one named is failing, see speech_errors_total.",
      ["kind"],
    ),
    falseAlarmsTotal: counter(
      "false_alarms_total",
      "Interruptions that turned out to be noise; the answer went on. Many: raise bargeIn.minSpeechMs or minWords.",
    ),
    bargeInsTotal: counter(
      "barge_ins_total",
      "Answers cut because the caller interrupted. Many: answers are too long.",
    ),
    speculationsTotal: counter(
      "speculations_total",
      "Brain requests made ahead of the end of a turn. Many dropped: switch endpointing.speculative off to save the brain's money.",
      ["outcome"],
    ),
    liveCalls: gauge(
      registry,
      "live_calls",
      "Calls this node holds. Near MAX_CALLS: new ones go elsewhere; add a gateway.",
    ),
    callsTotal: counter(
      "calls_total",
      "Calls ended on this node, by reason. Many internal_error or node_draining: read the log of that node.",
      ["end_reason"],
    ),
  };
}

function recognitionMetrics(registry: Registry) {
  const { counter, histogram } = makers(registry);
  return {
    endOfTurnModelSeconds: histogram(
      "end_of_turn_model_seconds",
      "Question to the end-of-turn model to its answer, or to its end. Many timeouts or failures: END_OF_TURN_URL or END_OF_TURN_MODEL is slow or down; turns end by the built-in judgment.",
      LATENCY_BUCKETS,
      ["outcome"],
    ),
    speechLostTotal: counter(
      "speech_lost_total",
      "Times a call had no recognizer (stt) or no voice (tts) left: its caller is told, and a phone call may end with internal_error. Look at speech_errors_total.",
      ["kind"],
    ),
    keptSpeechTotal: counter(
      "kept_speech_total",
      "Clauses of agents' own lines (first response, fallback, prompts) that were kept from an earlier call (hit) or had to be spoken (miss). Many misses: first responses differ in each call, or nodes restart often.",
      ["outcome"],
    ),
    floorDecisionsTotal: counter(
      "floor_decisions_total",
      "What was decided about who speaks, and why. Many ignore or go_on with own_voice: callers have echoes; many duck without interrupt: noisy rooms; many end_turn with unfinished: callers are waited for long.",
      ["decision", "reason"],
    ),
    utterancesUnrecognisedTotal: counter(
      "utterances_unrecognised_total",
      "Voices of callers that no words came for in time; the fallback line is spoken. Many: the recognizer is too slow for its load, or gone.",
    ),
    sttLateFinalsTotal: counter(
      "stt_late_finals_total",
      "Words that came after they were given up; they are answered all the same. Many: raise endpointing.finalTimeoutMs, or give the recognizer more room.",
    ),
  };
}

function frontEndMetrics(registry: Registry) {
  const { histogram, counter } = makers(registry);
  return {
    frontEndCalls: gauge(
      registry,
      "front_end_calls",
      "Calls by how their callers are heard: noise suppressed, voice told by the model, voice told by the cheap detector. Many of webrtc while front_end_reduced is 2: the node is full, add a gateway.",
      ["heard"],
    ),
    frontEndReduced: gauge(
      registry,
      "front_end_reduced",
      "0: every call gets what its agent asks for. 1: the node is busy, some calls keep their noise. 2: the cheap detector decides as well. For long: add a gateway, or turn noise suppression off for agents that need none.",
    ),
    frontEndBusyRatio: gauge(
      registry,
      "front_end_busy_ratio",
      "Share of its time for which the thread of noise suppression and voice detection is busy. Over 0.8 less is done, see front_end_reduced.",
    ),
    frontEndSeconds: histogram(
      "front_end_seconds",
      "Frames handed to noise suppression and voice detection to their answer. High: its thread has no core to run on.",
      FINE_BUCKETS,
    ),
    frontEndLateTotal: counter(
      "front_end_late_total",
      "Times a call went on without an answer of noise suppression and voice detection, for seconds each time. Growing: see front_end_busy_ratio.",
    ),
    frontEndFailuresTotal: counter(
      "front_end_failures_total",
      "Times noise suppression and voice detection could not be loaded, or died; calls go on with the cheap detector. Read the log of the gateway.",
    ),
  };
}

function socketMetrics(registry: Registry) {
  const { counter } = makers(registry);
  return {
    callSockets: gauge(
      registry,
      "call_sockets",
      "Open call sockets, started or not. Far above live_calls: clients connect and never start.",
    ),
    watchers: gauge(
      registry,
      "watchers",
      "Open stream sockets. Thousands on one node: spread watchers over the gateways.",
    ),
    callDropsTotal: counter(
      "call_drops_total",
      "Callers' sockets that broke in mid-call. Far above call_resumes_total: callers vanish; look at load balancers and their networks.",
    ),
    callResumesTotal: counter(
      "call_resumes_total",
      "Calls that a caller came back to after a drop. Compare with call_drops_total.",
    ),
    refusedUpgradesTotal: counter(
      "refused_upgrades_total",
      "Sockets refused before the upgrade, by reason. unauthorized: clocks or keys differ between processes.",
      ["reason"],
    ),
    socketErrorsTotal: counter(
      "socket_errors_total",
      "What callers' apps and carriers sent that was wrong, by code. A rise after a release means a client sends something wrong.",
      ["code"],
    ),
    socketMessagesDroppedTotal: counter(
      "socket_messages_dropped_total",
      "Messages dropped: floods, audio faster than real time, readers too slow.",
      ["reason"],
    ),
    watcherFramesDroppedTotal: counter(
      "watcher_frames_dropped_total",
      "Frames slow watchers missed. Growing: their network or browser is too slow; WATCHER_BUFFER_BYTES bounds what waits.",
    ),
    draining: gauge(
      registry,
      "draining",
      "1 while the node takes no new calls. Longer than DRAIN_TIMEOUT_MS: it hangs; look at its log.",
    ),
    eventLoopLagSeconds: gauge(
      registry,
      "event_loop_lag_seconds",
      "99th percentile of the event loop's delay over the last seconds. Over 0.02 audio begins to suffer: fewer calls a node.",
    ),
  };
}

function eventMetrics(registry: Registry) {
  const { histogram, counter } = makers(registry);
  return {
    busPublishSeconds: histogram(
      "bus_publish_seconds",
      "Time to append to the durable stream. High: Redis is slow or far.",
      FINE_BUCKETS,
    ),
    busReady: gauge(
      registry,
      "bus_ready",
      "1 while the bus is reachable. 0: calls go on, events wait on the node; bring Redis back.",
    ),
    callEventsTotal: counter(
      "call_events_total",
      "Call events handed to the durable stream. Zero while calls live: see bus_ready.",
      ["type"],
    ),
    callEventsSpilledTotal: counter(
      "call_events_spilled_total",
      "Events that had to wait because the bus was away. Growing: bring Redis back, see event_spill_size.",
    ),
    callEventsLostTotal: counter(
      "call_events_lost_total",
      "Events dropped because the spill was full. Must be 0: raise EVENT_SPILL_MAX or repair the bus sooner.",
    ),
    eventSpillSize: gauge(
      registry,
      "event_spill_size",
      "Events waiting for the bus. Growing: the bus is away or too slow.",
    ),
    recordingsFailedTotal: counter(
      "recordings_failed_total",
      "Recordings given up: disk full, store away. The calls went on.",
    ),
    recorderAppliedTotal: counter(
      "recorder_applied_total",
      "Call events written to the database. Flat while recorder_backlog grows: look at the database.",
      ["type"],
    ),
    recorderDuplicatesTotal: counter(
      "recorder_duplicates_total",
      "Call events delivered again and ignored; some are normal after a restart.",
    ),
    recorderErrorsTotal: counter(
      "recorder_errors_total",
      "Times the recorder could not write. Growing: look at the database.",
    ),
    recorderDeadTotal: counter(
      "recorder_dead_total",
      "Call events that can never be recorded and were put aside. Must be 0: look at them with scripts/dead-events.ts.",
    ),
    recorderGapsTotal: counter(
      "recorder_gaps_total",
      "Calls whose end was recorded although something before it never came. With callEventsLost: expected; else read the log.",
    ),
    recorderBacklog: gauge(
      registry,
      "recorder_backlog",
      "Call events not written to the database yet, counted in the bus each few seconds. Growing: add control-api processes or repair the database.",
    ),
  };
}

function egressMetrics(registry: Registry) {
  const { counter } = makers(registry);
  return {
    egressRequestsTotal: counter(
      "egress_requests_total",
      "Requests to addresses of customers and carriers, by what for (brain, model, playback, webhook, carrier) and what became of it. Many of blocked: somebody names private addresses; of unreachable or timeout for all purposes at once: look at this host's names (DNS_SERVERS) and its way out.",
      ["purpose", "outcome"],
    ),
  };
}

function httpMetrics(registry: Registry) {
  const { histogram, counter } = makers(registry);
  return {
    httpRequestsTotal: counter(
      "http_requests_total",
      "Requests to the control API. Many of status 5xx: read its log; of 401: a key was revoked or is missing.",
      ["method", "route", "status"],
    ),
    httpServerErrorsTotal: counter(
      "http_server_errors_total",
      "Answers of status 500 and above by class of route (api, v1, callback, page). Growing: each has a log line with its request id.",
      ["class", "status"],
    ),
    httpRequestSeconds: histogram(
      "http_request_seconds",
      "Time to answer a request of the control API. High on all routes: look at the database.",
      LATENCY_BUCKETS,
      ["route"],
    ),
    webhookDeliveriesTotal: counter(
      "webhook_deliveries_total",
      "Attempts to deliver webhooks by what became of the delivery. Many of dead: look at the endpoints' last_error.",
      ["status"],
    ),
    webhookDelaySeconds: histogram(
      "webhook_delay_seconds",
      "Time a receiver took to answer a delivery. High: it is the receiver; others do not wait for it.",
      LATENCY_BUCKETS,
    ),
    webhookBacklog: gauge(
      registry,
      "webhook_backlog",
      "Deliveries that are due or will be tried again. Growing: receivers fail, or there are too few control APIs.",
    ),
    webhookOldestDueSeconds: gauge(
      registry,
      "webhook_oldest_due_seconds",
      "How long the oldest delivery that is due has waited to be made. Growing: no control API takes them, or too few do.",
    ),
    messagesTotal: counter(
      "messages_total",
      "Mail and SMS by outcome. Many of failed or dropped: nobody gets codes; look at SMTP_URL, the SMS account and the log.",
      ["channel", "outcome"],
    ),
    retentionDeletedTotal: counter(
      "retention_deleted_total",
      "Calls whose content was deleted because their organization keeps it no longer. None while retention_overdue_seconds grows: read the log of the control APIs.",
    ),
    retentionOverdueSeconds: gauge(
      registry,
      "retention_overdue_seconds",
      "How long the content that should have been deleted first has been due. Above minutes: deletion is behind or fails; read the log of the control APIs.",
    ),
    passwordQueue: gauge(
      registry,
      "password_queue",
      "Passwords that wait to be hashed. High for long: a storm of sign-ins; look at the addresses in the audit log.",
    ),
  };
}

function chatMetrics(registry: Registry) {
  const { histogram, counter } = makers(registry);
  return {
    chatTurnsTotal: counter(
      "chat_turns_total",
      "Turns of text chats by outcome. Many of brain_failed: look at the customers' brains; of conflict: clients send a second message before they have the answer to the first.",
      ["outcome"],
    ),
    chatTurnSeconds: histogram(
      "chat_turn_seconds",
      "A chat's message received to its reply complete. High: look at the customers' brains.",
      LATENCY_BUCKETS,
    ),
    chatTurnsUnderWay: gauge(
      registry,
      "chat_turns_under_way",
      "Replies of text chats being generated. Near 1,000 a process: turns are refused with 503; start more control APIs.",
    ),
  };
}

/** How much room there is, and whether the stores are there: what runs out before anything fails. */
function roomMetrics(registry: Registry) {
  return {
    maxCalls: gauge(
      registry,
      "max_calls",
      "Calls this node may hold (MAX_CALLS); 0 on control APIs. live_calls near it: add a gateway.",
    ),
    eventSpillMax: gauge(
      registry,
      "event_spill_max",
      "Call events this node may keep while the bus is away (EVENT_SPILL_MAX); 0 on control APIs. event_spill_size near it: bring Redis back.",
    ),
    databaseReady: gauge(
      registry,
      "database_ready",
      "1 while this control API reaches Postgres; 0 on gateways, which have none. 0: the API answers 503, calls go on; bring Postgres back.",
    ),
    dataDiskFreeBytes: gauge(
      registry,
      "data_disk_free_bytes",
      "Room left on the disk of DATA_DIR. Shrinking: recordings are lost when it is full; delete or upload some.",
    ),
    dataDiskSizeBytes: gauge(
      registry,
      "data_disk_size_bytes",
      "Size of the disk of DATA_DIR; see data_disk_free_bytes.",
    ),
  };
}

function makers(registry: Registry) {
  return {
    histogram: <L extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: L[] = [],
    ) => new Histogram({ name: `parley_${name}`, help, buckets, labelNames, registers: [registry] }),
    counter: <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
      new Counter({ name: `parley_${name}`, help, labelNames, registers: [registry] }),
  };
}

function gauge<L extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[] = [],
): Gauge<L> {
  return new Gauge<L>({ name: `parley_${name}`, help, labelNames, registers: [registry] });
}
