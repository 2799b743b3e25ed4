import { DtmfDetector } from "@parley/media/dtmf/detector.ts";
import type { EndOfTurnModel } from "@parley/media/end-of-turn/end-of-turn-model.ts";
import type { SttEvent, SttSession } from "@parley/media/stt/port.ts";
import type { TtsReply } from "@parley/media/tts/port.ts";
import { ClearVoice } from "@parley/media/vad/clear-voice.ts";
import { VoiceActivity } from "@parley/media/vad/voice-activity.ts";
import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import type { CallPlan, TeamMember } from "@parley/shared/contracts/call-plan.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { TraceSpan } from "@parley/shared/tracing/tracer.ts";
import { Keypad } from "../call/keypad.ts";
import { CallerLine } from "../call/line.ts";
import type { CallRecording } from "../call/recording.ts";
import type { AnswerRequestDeps } from "../pipeline/answer-request.ts";
import { AudioInput } from "../pipeline/audio-input.ts";
import type { AudioOutput } from "../pipeline/audio-output.ts";
import type { Hearing } from "../pipeline/hearing.ts";
import { OwnHearing } from "../pipeline/own-hearing.ts";
import { DeadAir } from "../turn/dead-air.ts";
import type { TurnEvent, TurnSettings } from "../turn/turn-state.ts";
import { AgentSpeech } from "./agent-speech.ts";
import { openAudioOutput } from "./call-audio-output.ts";
import { CallJudge } from "./call-judge.ts";
import type { CallTally } from "./call-tally.ts";
import { Conversation } from "./conversation.ts";
import { FloorRecord } from "./floor-record.ts";
import { HearingWatch } from "./hearing-watch.ts";
import { type Events, type Frames, RedactingSink } from "./redacting-sink.ts";
import { CallReporter, type ReporterDeps } from "./reporter.ts";
import { SilenceWatch } from "./silence.ts";

/** Timeout for the final while nobody hears the caller. The caller is then told so and not asked to wait first. */
const LOST_FINAL_TIMEOUT_MS = 800;

/** What the node gives a call. */
export interface CallResources {
  readonly plan: CallPlan;
  readonly nodeId: string;
  readonly resumeToken: string;
  readonly resumeWindowMs: number;
  readonly leadMs: number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly after: (ms: number, fn: () => void) => () => void;
  /** The first stage that the caller's frames pass through. */
  readonly frontEnd: Hearing;
  readonly openStt: (onEvent: (event: SttEvent) => void) => SttSession;
  readonly recognition: "client" | "server";
  readonly openVoice: (signal: AbortSignal) => TtsReply;
  /** The voice of another agent that takes over. */
  readonly voiceOf: (member: TeamMember) => CallResources["openVoice"];
  readonly brain: BrainClient;
  readonly endOfTurn: EndOfTurnModel | undefined;
  readonly recording: CallRecording | undefined;
  readonly storeRecording: () => Promise<void>;
  readonly frames: Frames;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly span: TraceSpan;
  readonly log: Logger;
  readonly tally: CallTally;
  readonly onEnded: (end: { reason: string; durationSecs: number }) => void;
}

/** The parts of a call, wired to each other; `Call` drives them. */
export interface CallParts extends CallResources {
  readonly line: CallerLine;
  readonly input: AudioInput;
  readonly output: AudioOutput;
  readonly agent: AgentSpeech;
  readonly conversation: Conversation;
  readonly keypad: Keypad;
  readonly silence: SilenceWatch;
  readonly hearing: HearingWatch;
  readonly floor: FloorRecord;
  /** What requests to the brain are made of. */
  readonly requests: AnswerRequestDeps;
}

/** Wires one call: input → conversation → agent → output → line, with the reporter listening. */
export function assembleCall(
  resources: CallResources,
  told: Pick<ReporterDeps, "onLastWords" | "onTransferInvalid" | "onHandOffDue" | "onVoiceFailed">,
): CallParts {
  const { plan, now, sleep, after, openVoice, metrics } = resources;
  const line = new CallerLine();
  const redacting = new RedactingSink({ ...resources, policy: plan.pii });
  const deadAir = new DeadAir();
  const silentMs = (ms: number): number => deadAir.longestMs(now() - ms, now());
  const floor = new FloorRecord(now);
  const judge = new CallJudge({ model: resources.endOfTurn, language: plan.stt[0]?.language ?? "", now });
  const reporter = new CallReporter({ ...resources, line, redacting, floor, judge, silentMs, ...told });
  const dispatch = (event: TurnEvent): void => conversation.dispatch(event);
  const own = new OwnHearing({ leadMs: resources.leadMs, behindMs: () => output.behindMs });
  const output: AudioOutput = openAudioOutput({ ...resources, line, deadAir, own, agent: () => agent });
  const requests = requestsOf(resources, redacting);
  const agent = new AgentSpeech({
    requests,
    lines: { waiting: plan.waiting, hearing: plan.outage.hearingLine },
    isDeaf: () => input.isLost,
    output,
    openVoice,
    now,
    sleep,
    after,
    sink: reporter,
    dispatch,
  });
  const hearing = new HearingWatch(plan.outage);
  const onDigit = (digit: DtmfDigit): void => {
    hearing.disturb(now());
    reporter.onDigit(digit);
  };
  const onEntry = (keys: string): void =>
    dispatch({ type: "typed", text: `DTMF: ${keys}`, source: "dtmf", nowMs: now() });
  const keypad = new Keypad({ now, onDigit, onEntry });
  const tones = new DtmfDetector();
  const input = new AudioInput({
    hearing: resources.frontEnd,
    activity: new VoiceActivity(),
    clarity: new ClearVoice(),
    own,
    openStt: resources.openStt,
    now,
    onEvent: dispatch,
    onFrame: (frame) => {
      judge.hear(frame);
      const digit = tones.push(frame);
      if (digit !== undefined && !own.isOwnKey(digit, now())) keypad.press(digit, "tone");
    },
    onSttFailed: (error) => {
      hearing.lost(now());
      reporter.onSttFailed(error);
    },
    onSttRecovered: () => {
      hearing.recovered();
      reporter.onSttRecovered();
    },
    onFinal: (delayMs) =>
      metrics.sttFinalSeconds.observe({ vendor: plan.stt[0]?.vendor ?? "client" }, delayMs / 1000),
  });
  const recognizes = resources.recognition === "server";
  const settings = turnSettings(resources, recognizes, input);
  const conversation: Conversation = new Conversation({ settings, input, agent, judge, now, sink: reporter });
  const silence = new SilenceWatch(plan.silence, now());
  const discreet = { frames: redacting, events: redacting, floor, requests };
  return { ...resources, ...discreet, line, input, output, agent, conversation, keypad, silence, hearing };
}

/** What requests to the call's first brain are made of. */
function requestsOf(
  { plan, brain, now, span: callSpan, metrics }: CallResources,
  events: Pick<Events, "append">,
): AnswerRequestDeps {
  const identifier = plan.isIdentified ? plan.identifier : null;
  const handsTo = plan.team.map(({ agentId }) => agentId);
  const onTokens: AnswerRequestDeps["onTokens"] = (tokens, turn) =>
    events.append({ type: "call.tokens_used", turn, ...tokens });
  const { channel } = plan;
  const variables = channel === undefined ? plan.variables : { channel, ...plan.variables };
  return {
    ...plan,
    variables,
    identifier,
    handsTo,
    brain,
    plan: plan.brain,
    now,
    callSpan,
    metrics,
    onTokens,
  };
}

/** The plan's settings combined with what the current recognizer can do; the recognizer may change during a call. */
function turnSettings(
  { plan, endOfTurn }: Pick<CallResources, "plan" | "endOfTurn">,
  recognizes: boolean,
  input: AudioInput,
): TurnSettings {
  const { turnTaking, waiting, stt } = plan;
  const endpointing = {
    ...turnTaking.endpointing,
    // For a recognizer that takes one utterance at a time, the timeout is the longest its own rule allows.
    get finalTimeoutMs(): number {
      if (input.isLost) return LOST_FINAL_TIMEOUT_MS;
      return Math.max(turnTaking.endpointing.finalTimeoutMs, input.answersWithinMs);
    },
  };
  return {
    ...turnTaking,
    endpointing,
    recognizes,
    language: stt[0]?.language ?? "",
    judgesWithinMs: endOfTurn?.withinMs ?? 0,
    waitingAfterMs: waiting.line === "" ? 0 : waiting.afterMs,
    waitingAgainAfterMs: waiting.againLine === "" ? 0 : waiting.againAfterMs,
    get hasInterims(): boolean {
      return input.hasInterims;
    },
  };
}
