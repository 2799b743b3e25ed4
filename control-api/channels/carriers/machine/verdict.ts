import type { AnsweredBy } from "../carrier.ts";
import type { Greeting } from "./greeting.ts";

/** What is done about a machine (docs/webhooks.md#callmachine_detected). */
export type MachineAction = "amd_hangup" | "voicemail_drop" | "ivr_hangup" | "call_screen";

export interface MachinePolicy {
  /** What was asked for when the call was placed; `none`: machines are talked to as people are. */
  readonly detection: "true" | "hangup" | "none";
  /** Left after the beep; none: a machine is hung up on. */
  readonly message: string | undefined;
  /** The agent tells an assistant that screens calls who calls and why; otherwise its brain answers it. */
  readonly answersScreening: boolean;
}

/**
 * What is known. `suspected`: the carrier says machine and nothing bears it out yet; `talking`: nothing did, so the
 * agent talks, and a greeting or a beep that comes late still counts; `waiting`: it is a machine, and its beep is waited
 * for; `screened`: an assistant was told who calls, and a person is waited for.
 */
export type MachineState = "unknown" | "suspected" | "talking" | "waiting" | "screened" | "settled";

export type MachineEvent =
  | { readonly type: "verdict"; readonly answeredBy: AnsweredBy }
  /** Recognized words; `isTalking`: the voice went on since, or its words are still being recognized. */
  | { readonly type: "heard"; readonly greeting: Greeting | undefined; readonly isTalking: boolean }
  /** Nothing more was decided for a while in this state. */
  | {
      readonly type: "expired";
      readonly of: MachineState;
      /** Since the far end's last voice; undefined: none was heard. */
      readonly quietMs: number | undefined;
      /** The call has lasted longer than any greeting. */
      readonly isLate: boolean;
    };

export interface MachineStep {
  readonly state: MachineState;
  /** What `answeredBy` becomes; absent: it stays. */
  readonly answeredBy?: string;
  readonly action?: MachineAction;
  /** The agent keeps quiet, may speak again, says who calls and keeps quiet then, or greets whoever is there now. */
  readonly agent?: "mute" | "speak" | "announce" | "greet";
  /** `expired` is due after so long, unless the state changes before. */
  readonly expireMs?: number;
}

/** So much silence after the carrier said machine leaves it unconfirmed. */
export const GRACE_MS = 6_000;
/** A pause of a greeting is shorter than this. */
export const GREETING_PAUSE_MS = 1_500;
/** No greeting is longer. */
export const LONGEST_GREETING_MS = 60_000;
/** An assistant rings the person it screens calls for, who comes or does not. */
export const SCREENED_MS = 60_000;
/** A greeting whose end nobody reports is over by then, unless its voice is still heard. */
export const BEEP_WITHIN_MS = 12_000;

/** The rules of machine detection as one pure step. A settled call is not looked at any more. */
export function machineStep(state: MachineState, event: MachineEvent, policy: MachinePolicy): MachineStep {
  if (state === "settled") return { state };
  if (event.type === "verdict") return onVerdict(state, event.answeredBy, policy);
  if (event.type === "heard") return onHeard(state, event, policy);
  return state === event.of ? onExpired(event, policy) : { state };
}

function onVerdict(state: MachineState, answeredBy: AnsweredBy, policy: MachinePolicy): MachineStep {
  // It is the assistant that was heard.
  if (state === "screened") return { state };
  if (policy.detection === "none") return { state, answeredBy };
  // What was heard says more than a second guess; a beep says more than what was heard.
  if (state === "talking" && answeredBy !== "human" && answeredBy !== "machine_end_beep") return { state };
  if (answeredBy === "human") return onPerson(state);
  if (answeredBy === "unknown") return { state, answeredBy };
  if (answeredBy === "fax") return { state: "settled", answeredBy, action: "amd_hangup" };
  // The end of a greeting bears itself out; so does whoever asked to be rid of machines.
  if (policy.detection === "hangup" || answeredBy.startsWith("machine_end"))
    return { ...act(policy), answeredBy };
  // Its greeting was heard before the carrier found it.
  if (state === "waiting") return { state, answeredBy };
  return { state: "suspected", answeredBy, agent: "mute", expireMs: GRACE_MS };
}

/** An agent that keeps quiet because of what was thought before may speak at once. */
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
  // Words no greeting has, and then a pause: somebody picked up after all. A greeting goes on.
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

/** The assistant goes on, its mailbox comes, or a person does. */
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
