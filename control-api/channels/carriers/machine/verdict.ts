import type { AnsweredBy } from "../carrier.ts";
import type { Greeting } from "./greeting.ts";

/** What to do about a machine (docs/webhooks.md#callmachine_detected). */
export type MachineAction = "amd_hangup" | "voicemail_drop" | "ivr_hangup" | "call_screen";

export interface MachinePolicy {
  /** Requested when the call was placed; `none`: the agent talks to machines as it does to people. */
  readonly detection: "true" | "hangup" | "none";
  /** Message left after the beep; without one, the agent hangs up on machines. */
  readonly message: string | undefined;
  /** The agent tells a call-screening assistant who calls and why; otherwise its brain answers the assistant. */
  readonly answersScreening: boolean;
}

/**
 * What is known so far. `suspected`: the carrier says machine, and nothing confirms it yet. `talking`: nothing did, so
 * the agent talks, and a late greeting or beep still counts. `waiting`: a machine answered, and its beep is awaited.
 * `screened`: an assistant was told who calls, and a person is awaited.
 */
export type MachineState = "unknown" | "suspected" | "talking" | "waiting" | "screened" | "settled";

export type MachineEvent =
  | { readonly type: "verdict"; readonly answeredBy: AnsweredBy }
  /** Recognized words; `isTalking`: the voice continued since, or its words are still being recognized. */
  | { readonly type: "heard"; readonly greeting: Greeting | undefined; readonly isTalking: boolean }
  /** Nothing else was decided in this state in time. */
  | {
      readonly type: "expired";
      readonly of: MachineState;
      /** Time since the far end last spoke; undefined: it never did. */
      readonly quietMs: number | undefined;
      /** The call has lasted longer than any greeting. */
      readonly isLate: boolean;
    };

export interface MachineStep {
  readonly state: MachineState;
  /** New value of `answeredBy`; absent: unchanged. */
  readonly answeredBy?: string;
  readonly action?: MachineAction;
  /** The agent is muted, may speak again, says who calls and is then muted, or greets the person. */
  readonly agent?: "mute" | "speak" | "announce" | "greet";
  /** Delay until `expired`, unless the state changes first. */
  readonly expireMs?: number;
}

/** After this much silence, a machine verdict of the carrier stays unconfirmed. */
export const GRACE_MS = 6_000;
/** Longer than any pause within a greeting. */
export const GREETING_PAUSE_MS = 1_500;
/** Longer than any greeting. */
export const LONGEST_GREETING_MS = 60_000;
/** How long an assistant may ring the person it screens calls for. */
export const SCREENED_MS = 60_000;
/** A greeting whose end nobody reports is over by then, unless its voice is still heard. */
export const BEEP_WITHIN_MS = 12_000;

/** Machine detection as one pure state transition. A settled call stays settled. */
export function machineStep(state: MachineState, event: MachineEvent, policy: MachinePolicy): MachineStep {
  if (state === "settled") return { state };
  if (event.type === "verdict") return onVerdict(state, event.answeredBy, policy);
  if (event.type === "heard") return onHeard(state, event, policy);
  return state === event.of ? onExpired(event, policy) : { state };
}

function onVerdict(state: MachineState, answeredBy: AnsweredBy, policy: MachinePolicy): MachineStep {
  // The verdict refers to the assistant.
  if (state === "screened") return { state };
  if (policy.detection === "none") return { state, answeredBy };
  // Recognized words outrank a second verdict; a beep outranks recognized words.
  if (state === "talking" && answeredBy !== "human" && answeredBy !== "machine_end_beep") return { state };
  if (answeredBy === "human") return onPerson(state);
  if (answeredBy === "unknown") return { state, answeredBy };
  if (answeredBy === "fax") return { state: "settled", answeredBy, action: "amd_hangup" };
  // The end of a greeting confirms itself, and `hangup` asks for no confirmation.
  if (policy.detection === "hangup" || answeredBy.startsWith("machine_end"))
    return { ...act(policy), answeredBy };
  // The greeting was recognized before the carrier's verdict.
  if (state === "waiting") return { state, answeredBy };
  return { state: "suspected", answeredBy, agent: "mute", expireMs: GRACE_MS };
}

/** An agent muted by an earlier suspicion may speak at once. */
function onPerson(state: MachineState): MachineStep {
  const isMuted = state === "suspected" || state === "waiting";
  const next = state === "talking" ? state : "unknown";
  return { state: next, answeredBy: "human", ...(isMuted ? { agent: "speak" } : {}) };
}

function onHeard(
  state: MachineState,
  { greeting, isTalking }: Extract<MachineEvent, { type: "heard" }>,
  policy: MachinePolicy,
): MachineStep {
  if (state === "screened") return onHeardScreened(greeting, policy);
  if (greeting === "screening") return screen(policy);
  if (policy.detection === "none") return { state };
  if (greeting === "ivr") return { state: "settled", action: "ivr_hangup" };
  if (greeting === "voicemail") return onVoicemail(state, policy);
  // Words that no greeting contains, then a pause: a person picked up after all. A greeting continues.
  if (state !== "suspected" || isTalking) return { state };
  return { state: "talking", answeredBy: "human", agent: "speak" };
}

/** A voice that is still heard may be a greeting whose words are not recognized yet. */
function onExpired(
  { of: state, quietMs, isLate }: Extract<MachineEvent, { type: "expired" }>,
  policy: MachinePolicy,
): MachineStep {
  if (state === "screened") return { state: "settled", agent: "speak" };
  if (state !== "suspected" && state !== "waiting") return { state };
  const isAwaited = state === "suspected";
  const wantedMs = isAwaited ? GRACE_MS : GREETING_PAUSE_MS;
  const leftMs = quietMs === undefined || isLate ? 0 : wantedMs - quietMs;
  if (leftMs > 0) return { state, agent: "mute", expireMs: leftMs };
  return isAwaited ? { state: "talking", answeredBy: "amd_unconfirmed", agent: "speak" } : act(policy);
}

function screen({ answersScreening }: MachinePolicy): MachineStep {
  const action = "call_screen";
  if (!answersScreening) return { state: "settled", action, agent: "speak" };
  return { state: "screened", action, agent: "announce", expireMs: SCREENED_MS };
}

/** The assistant continues, its mailbox answers, or a person does. */
function onHeardScreened(greeting: Greeting | undefined, policy: MachinePolicy): MachineStep {
  if (greeting === undefined) return { state: "settled", answeredBy: "human", agent: "greet" };
  if (greeting === "voicemail" && policy.detection !== "none") return onVoicemail("unknown", policy);
  return { state: "screened" };
}

function onVoicemail(state: MachineState, policy: MachinePolicy): MachineStep {
  const isNews = state === "unknown" || state === "talking";
  const found = isNews ? { answeredBy: "machine_text_detect" } : {};
  if (policy.detection === "hangup" || policy.message === undefined) return { ...act(policy), ...found };
  return { state: "waiting", agent: "mute", expireMs: BEEP_WITHIN_MS, ...found };
}

function act({ detection, message }: MachinePolicy): MachineStep {
  const leaves = detection === "true" && message !== undefined;
  return { state: "settled", action: leaves ? "voicemail_drop" : "amd_hangup" };
}
