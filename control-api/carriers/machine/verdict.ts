import type { AnsweredBy } from "../carrier.ts";
import type { Greeting } from "./greeting.ts";

/** What is done about a machine (spec 2, call.machine_detected). */
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
 * What is known. `suspected`: the carrier says machine and nothing bears it out yet; `waiting`: it is one, and its
 * beep is waited for; `screened`: an assistant was told who calls, and a person is waited for.
 */
export type MachineState = "unknown" | "suspected" | "waiting" | "screened" | "settled";

export type MachineEvent =
  | { readonly type: "verdict"; readonly answeredBy: AnsweredBy }
  | { readonly type: "heard"; readonly greeting: Greeting | undefined }
  /** Nothing more came for a while in this state. */
  | { readonly type: "expired"; readonly of: MachineState };

export interface MachineStep {
  readonly state: MachineState;
  /** What `answeredBy` becomes; absent: it stays. */
  readonly answeredBy?: string;
  readonly action?: MachineAction;
  /** The agent keeps quiet, may speak again, says who calls and keeps quiet then, or greets whoever is there now. */
  readonly agent?: "hush" | "speak" | "announce" | "greet";
  /** `expired` is due after so long, unless the state changes before. */
  readonly expireMs?: number;
}

/** How long a person has to show himself after the carrier said machine. */
export const GRACE_MS = 6_000;
/** An assistant rings the person it screens calls for, who comes or does not. */
export const SCREENED_MS = 60_000;
/** A greeting whose end nobody reports is over by then. */
export const BEEP_WITHIN_MS = 12_000;

/** The rules of machine detection as one pure step. A settled call is not looked at any more. */
export function machineStep(state: MachineState, event: MachineEvent, policy: MachinePolicy): MachineStep {
  if (state === "settled") return { state };
  if (event.type === "verdict") return onVerdict(state, event.answeredBy, policy);
  if (event.type === "heard") return onHeard(state, event.greeting, policy);
  if (state !== event.of) return { state };
  if (state === "suspected") return { state: "settled", answeredBy: "amd_unconfirmed", agent: "speak" };
  if (state === "screened") return { state: "settled", agent: "speak" };
  if (state === "waiting") return act(policy);
  return { state };
}

function onVerdict(state: MachineState, answeredBy: AnsweredBy, policy: MachinePolicy): MachineStep {
  // It is the assistant that was heard.
  if (state === "screened") return { state };
  if (policy.detection === "none") return { state, answeredBy };
  if (answeredBy === "human") return onPerson(state);
  if (answeredBy === "unknown") return { state, answeredBy };
  if (answeredBy === "fax") return { state: "settled", answeredBy, action: "amd_hangup" };
  // The end of a greeting bears itself out; so does whoever asked to be rid of machines.
  if (policy.detection === "hangup" || answeredBy.startsWith("machine_end"))
    return { ...act(policy), answeredBy };
  return { state: "suspected", answeredBy, agent: "hush", expireMs: GRACE_MS };
}

/** An agent that keeps quiet because of what was thought before may speak at once. */
function onPerson(state: MachineState): MachineStep {
  const isHushed = state === "suspected" || state === "waiting";
  return { state: "unknown", answeredBy: "human", ...(isHushed ? { agent: "speak" } : {}) };
}

function onHeard(state: MachineState, greeting: Greeting | undefined, policy: MachinePolicy): MachineStep {
  if (state === "screened") return onHeardScreened(greeting, policy);
  if (greeting === "screening") return screen(policy);
  if (policy.detection === "none") return { state };
  if (greeting === "ivr") return { state: "settled", action: "ivr_hangup" };
  if (greeting === "voicemail") return onVoicemail(state, policy);
  // Words no greeting has: somebody picked up after all.
  return state === "suspected" ? { state: "settled", answeredBy: "human", agent: "speak" } : { state };
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
  const found = state === "unknown" ? { answeredBy: "machine_text_detect" } : {};
  if (policy.detection === "hangup" || policy.message === undefined) return { ...act(policy), ...found };
  return { state: "waiting", agent: "hush", expireMs: BEEP_WITHIN_MS, ...found };
}

function act({ detection, message }: MachinePolicy): MachineStep {
  const leaves = detection === "true" && message !== undefined;
  return { state: "settled", action: leaves ? "voicemail_drop" : "amd_hangup" };
}
