import type { CallActivity, ServerMessage, TurnMetrics } from "@parley/shared/contracts/call-socket.ts";
import type { CallFailure, CallSocketEvent } from "./call-socket.ts";
import type { MicrophoneFault } from "./microphone-fault.ts";
import type { SessionFault } from "./session.ts";
import { type TranscriptEntry, withKeys, withTranscript } from "./transcript-entries.ts";

/** The call's state, as the person sees it. */
export type CallPhase =
  | { readonly at: "idle" }
  /** The browser may be asking for the microphone. */
  | { readonly at: "preparing" }
  | { readonly at: "connecting" }
  | { readonly at: "live" }
  | { readonly at: "resuming" }
  | { readonly at: "ended"; readonly reason: string }
  | { readonly at: "failed"; readonly failure: CallFailure }
  | { readonly at: "no-session"; readonly fault: SessionFault; readonly message: string };

export type MicrophoneView =
  | { readonly is: "off" | "on" | "muted" }
  | { readonly is: "failed"; readonly fault: MicrophoneFault };

export interface TurnLatency extends TurnMetrics {
  readonly turn: number;
}

/** Everything the page shows. */
export interface CallView {
  readonly phase: CallPhase;
  readonly agentName: string;
  readonly mode: "agent" | "manual";
  readonly activity: CallActivity;
  readonly callerSpeaking: boolean;
  readonly microphone: MicrophoneView;
  /** False when audio cannot be played here. */
  readonly sound: boolean;
  /** Where speech becomes text; `none`: nowhere, so only typing reaches the agent. */
  readonly recognition: "server" | "client" | "none";
  /** The browser recognizer's current partial transcript. */
  readonly hearing: string;
  readonly entries: readonly TranscriptEntry[];
  readonly turns: readonly TurnLatency[];
  /** The gateway's last `error`, until dismissed. */
  readonly trouble: { readonly code: string; readonly message: string } | undefined;
}

export type CallViewEvent =
  | Exclude<CallSocketEvent, { type: "audio" }>
  | { readonly type: "started" }
  | { readonly type: "canceled" }
  | { readonly type: "session"; readonly agentName: string }
  | { readonly type: "no-session"; readonly fault: SessionFault; readonly message: string }
  | { readonly type: "microphone"; readonly microphone: MicrophoneView }
  | { readonly type: "no-sound" }
  | { readonly type: "no-recognizer" }
  | { readonly type: "caller-speaking"; readonly speaking: boolean }
  | { readonly type: "hearing"; readonly text: string }
  | { readonly type: "pressed"; readonly digit: string }
  | { readonly type: "trouble-seen" };

/** How many turns are kept for the chart. */
const MAX_TURNS = 50;

export const IDLE_VIEW: CallView = {
  phase: { at: "idle" },
  agentName: "the agent",
  mode: "agent",
  activity: "listening",
  callerSpeaking: false,
  microphone: { is: "off" },
  sound: true,
  recognition: "server",
  hearing: "",
  entries: [],
  turns: [],
  trouble: undefined,
};

/** Applies one event to the view. Pure. */
export function nextView(view: CallView, event: CallViewEvent): CallView {
  switch (event.type) {
    case "started":
      return { ...IDLE_VIEW, phase: { at: "preparing" } };
    case "canceled":
      return IDLE_VIEW;
    case "session":
      return { ...view, phase: { at: "connecting" }, agentName: event.agentName };
    case "no-session":
      return over(view, { at: "no-session", fault: event.fault, message: event.message });
    case "ready":
      return { ...view, phase: { at: "live" }, mode: event.ready.mode, recognition: event.ready.recognition };
    case "resuming":
      return { ...view, phase: { at: "resuming" } };
    case "message":
      return afterMessage(view, event.message);
    case "ended":
      return over(view, { at: "ended", reason: event.reason });
    case "failed":
      return over(view, { at: "failed", failure: event.failure });
    case "microphone":
      return { ...view, microphone: event.microphone, callerSpeaking: false };
    case "no-sound":
      return { ...view, sound: false };
    case "no-recognizer":
      return { ...view, recognition: "none", hearing: "" };
    case "caller-speaking":
      return { ...view, callerSpeaking: event.speaking };
    case "hearing":
      return { ...view, hearing: event.text };
    case "pressed":
      return { ...view, entries: withKeys(view.entries, { role: "user-keys", digits: event.digit }) };
    case "trouble-seen":
      return { ...view, trouble: undefined };
  }
}

function afterMessage(
  view: CallView,
  message: Extract<CallViewEvent, { type: "message" }>["message"],
): CallView {
  switch (message.type) {
    case "transcript":
      return { ...view, entries: withTranscript(view.entries, message) };
    case "state":
      return { ...view, activity: message.state };
    case "metrics":
      return { ...view, turns: withTurn(view.turns, message) };
    case "dtmf":
      return { ...view, entries: withKeys(view.entries, { role: "agent-keys", digits: message.digits }) };
    case "error":
      return { ...view, trouble: { code: message.code, message: message.message } };
    case "mark":
    case "clear":
    case "leg":
    case "transfer":
    case "hold":
    case "quality":
    case "pong":
      return view;
  }
}

function withTurn(
  turns: readonly TurnLatency[],
  { type: _, ...turn }: Extract<ServerMessage, { type: "metrics" }>,
): readonly TurnLatency[] {
  return [...turns.filter((other) => other.turn !== turn.turn), turn].slice(-MAX_TURNS);
}

/** A finished call keeps its transcript and chart on the page; no one is speaking anymore. */
function over(view: CallView, phase: CallPhase): CallView {
  const microphone: MicrophoneView = view.microphone.is === "failed" ? view.microphone : { is: "off" };
  return { ...view, phase, microphone, callerSpeaking: false, hearing: "", activity: "listening" };
}
