import type { z } from "zod";
import type { BrainPlan } from "./brain-plan.ts";

/** How a call may end, in the carriers' terms. */
export const END_STATUSES = ["completed", "failed", "no-answer", "busy", "canceled"] as const;
export type EndStatus = (typeof END_STATUSES)[number];

/** The first status of a call: `ringing` when it immediately rings for a member. */
export type FirstStatus = "queued" | "ringing";

/** The values of a call's `status`, in the database and in the API. */
export const CALL_STATUSES = ["queued", "ringing", "in-progress", ...END_STATUSES] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** A status decided by this file; no other can be written (`CallsTable`, `callEventSchema`). */
export type Decided<S extends CallStatus> = S & z.$brand<"call-status">;

/**
 * The states of a call. `taken`: a member has answered, but media does not flow yet; reported as `in-progress`. Only
 * an `in-progress` call has had its `call.started` (once, when media goes live).
 */
export const CALL_STATES = ["queued", "ringing", "taken", "in-progress", ...END_STATUSES] as const;
export type CallState = (typeof CALL_STATES)[number];
type OpenState = Exclude<CallState, EndStatus>;

/** Events of an ongoing call. `rings on`: the member who took it could not be connected. */
export const STEPS = ["rings", "is taken", "rings on", "goes live"] as const;
export type Step = (typeof STEPS)[number];

/**
 * What ends a call. `is withdrawn`: by Parley's side; `is canceled`: reported by its carrier; `is ended by us`: for a
 * reason that only an ongoing call has; `fails`: a fault of a carrier or of Parley.
 */
export const ENDINGS = [
  "hangs up",
  "is busy",
  "is declined",
  "does not answer",
  "is withdrawn",
  "is canceled",
  "meets a machine",
  "is ended by us",
  "fails",
] as const;
export type Ending = (typeof ENDINGS)[number];

const BEFORE_MEDIA: Readonly<Record<Ending, EndStatus>> = {
  // A call that was hung up before anyone could speak was not answered.
  "hangs up": "no-answer",
  "is busy": "busy",
  "is declined": "busy",
  "does not answer": "no-answer",
  "is withdrawn": "canceled",
  "is canceled": "canceled",
  // A carrier may detect a machine before its media arrives.
  "meets a machine": "completed",
  "is ended by us": "failed",
  fails: "failed",
};

/**
 * A call that went live was answered (`call.started` does not fire for others): any report to the contrary only means
 * that the call is over.
 */
const WITH_MEDIA: Readonly<Record<Ending, EndStatus>> = {
  "hangs up": "completed",
  "is busy": "completed",
  "is declined": "completed",
  "does not answer": "completed",
  "is withdrawn": "completed",
  "is canceled": "completed",
  "meets a machine": "completed",
  "is ended by us": "completed",
  // Fails even in the middle of the call: nobody hung up.
  fails: "failed",
};

type Moves = Readonly<Partial<Record<Step, OpenState>>>;

/** Every valid transition; anything not listed changes nothing. */
const LIFE: Readonly<Record<OpenState, Moves & Readonly<Record<Ending, EndStatus>>>> = {
  queued: { rings: "ringing", "goes live": "in-progress", ...BEFORE_MEDIA },
  ringing: { "is taken": "taken", "goes live": "in-progress", ...BEFORE_MEDIA },
  taken: { "rings on": "ringing", "goes live": "in-progress", ...BEFORE_MEDIA },
  "in-progress": WITH_MEDIA,
};

/** The ending that each known reason implies (the set is open; an unlisted reason still ends the call). */
const ENDING_OF = {
  agent_end_call: "is ended by us",
  llm_end_call: "is ended by us",
  flow_end: "is ended by us",
  silence_hangup: "is ended by us",
  max_duration: "is ended by us",
  hangup: "hangs up",
  connection_lost: "is ended by us",
  api_request: "is withdrawn",
  node_lost: "fails",
  never_connected: "is withdrawn",
  node_draining: "is ended by us",
  internal_error: "fails",
  no_answer: "does not answer",
  busy: "is busy",
  carrier_failed: "fails",
  transferred: "is ended by us",
  amd_hangup: "meets a machine",
  voicemail_drop: "meets a machine",
  ivr_hangup: "meets a machine",
  chat_idle: "is ended by us",
  declined: "is declined",
} as const satisfies Record<string, Ending>;

export type EndReason = keyof typeof ENDING_OF;

/**
 * The end reason of a call that its agent ended: decided by a customer's own brain, a model, or a flow
 * (docs/webhooks.md#callended).
 */
export function agentsEndReason({ kind = "custom" }: { readonly kind?: BrainPlan["kind"] }): EndReason {
  return END_REASON_OF[kind];
}
const END_REASON_OF = {
  custom: "agent_end_call",
  model: "llm_end_call",
  flow: "flow_end",
} as const satisfies Record<NonNullable<BrainPlan["kind"]>, EndReason>;

export const END_REASONS = Object.keys(ENDING_OF) as EndReason[];

/** Endings that are impossible for a call that went live. */
const DENIALS: readonly Ending[] = ["is busy", "is declined", "does not answer", "is canceled"];

/** How and why a call ended: the two fields of `call.ended`. */
export interface CallEnd {
  readonly status: Decided<EndStatus>;
  readonly reason: string;
}

/** True for an ended call, which nothing changes any more. */
export function isOver(state: CallState): state is EndStatus {
  return END_STATUSES.some((end) => end === state);
}

/** The state after an event; unchanged when the event means nothing in this state. */
export function nextState(state: CallState, event: Step | Ending): CallState {
  return isOver(state) ? state : (LIFE[state][event] ?? state);
}

/** The state of a call, derived from its row. */
export function stateOf({ status, startedAt }: { status: CallStatus; startedAt: Date | null }): CallState {
  return status === "in-progress" && startedAt === null ? "taken" : status;
}

/** The status reported for a call in this state. */
export function statusOf(state: CallState): Decided<CallStatus> {
  return decided(state === "taken" ? "in-progress" : state);
}

/** The row statuses in which `step` has an effect. */
export function statusesBefore(step: Step): readonly CallStatus[] {
  const states = CALL_STATES.filter((state) => nextState(state, step) !== state);
  return [...new Set(states.map(statusOf))];
}

/** The end of a call, given an ending and the reason reported for it. */
export function endBy(state: CallState, { ending, reason }: { ending: Ending; reason: string }): CallEnd {
  if (isOver(state)) return { status: decided(state), reason };
  const isDenied = state === "in-progress" && DENIALS.includes(ending);
  return { status: decided(LIFE[state][ending]), reason: isDenied ? "hangup" : reason };
}

/** The end of a call of which only the reason is known. */
export function endFor(state: CallState, reason: string): CallEnd {
  return endBy(state, { ending: isKnown(reason) ? ENDING_OF[reason] : "is ended by us", reason });
}

/**
 * The end to record for a call in this state when another process reported an end without knowing the state: a reason
 * that cannot apply is dropped with its status.
 */
export function settled(state: CallState, told: { status: EndStatus; reason: string }): CallEnd {
  const { status, reason } = told;
  if (isOver(state)) return { status: decided(state), reason };
  const canBe = ENDINGS.some((ending) => LIFE[state][ending] === status);
  return canBe
    ? { status: decided(status), reason }
    : { status: decided(LIFE[state]["hangs up"]), reason: "hangup" };
}

function isKnown(reason: string): reason is EndReason {
  return Object.hasOwn(ENDING_OF, reason);
}

function decided<S extends CallStatus>(status: S): Decided<S> {
  return status as Decided<S>;
}
