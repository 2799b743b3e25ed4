import type { z } from "zod";
import type { BrainPlan } from "./brain-plan.ts";

/** How a call may end, in the words that carriers use. */
export const END_STATUSES = ["completed", "failed", "no-answer", "busy", "canceled"] as const;
export type EndStatus = (typeof END_STATUSES)[number];

/** A call begins with one of these: `ringing` when it rings for a member at once. */
export type FirstStatus = "queued" | "ringing";

/** What a call's `status` may be, in the database and in the API. */
export const CALL_STATUSES = ["queued", "ringing", "in-progress", ...END_STATUSES] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** A status that this file gave; nothing else can be written down (`CallsTable`, `callEventSchema`). */
export type Decided<S extends CallStatus> = S & z.$brand<"call-status">;

/**
 * Where a call stands. `taken`: a member has answered, and media does not flow yet; everybody is told `in-progress`.
 * Only an `in-progress` call has had its `call.started` (once, when media goes live).
 */
export const CALL_STATES = ["queued", "ringing", "taken", "in-progress", ...END_STATUSES] as const;
export type CallState = (typeof CALL_STATES)[number];
type OpenState = Exclude<CallState, EndStatus>;

/** What happens to a call that goes on. `rings on`: whoever took it could not be connected. */
export const STEPS = ["rings", "is taken", "rings on", "goes live"] as const;
export type Step = (typeof STEPS)[number];

/**
 * What ends a call. `is withdrawn`: by our side; `is canceled`: as its carrier says; `is ended by us`: for a reason that
 * only a call has that goes on; `fails`: a carrier's fault, or ours.
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
  // A call that was hung up before anybody could speak was not answered.
  "hangs up": "no-answer",
  "is busy": "busy",
  "is declined": "busy",
  "does not answer": "no-answer",
  "is withdrawn": "canceled",
  "is canceled": "canceled",
  // A carrier may know before its media is here.
  "meets a machine": "completed",
  "is ended by us": "failed",
  fails: "failed",
};

/**
 * Of a call that went live nobody can say any more that it was not answered (`call.started` does not fire for
 * those): whoever does says no more than that it is over.
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
  // Also in the middle of it: nobody hung up.
  fails: "failed",
};

type Moves = Readonly<Partial<Record<Step, OpenState>>>;

/** Every transition there is; what is not here changes nothing. */
const LIFE: Readonly<Record<OpenState, Moves & Readonly<Record<Ending, EndStatus>>>> = {
  queued: { rings: "ringing", "goes live": "in-progress", ...BEFORE_MEDIA },
  ringing: { "is taken": "taken", "goes live": "in-progress", ...BEFORE_MEDIA },
  taken: { "rings on": "ringing", "goes live": "in-progress", ...BEFORE_MEDIA },
  "in-progress": WITH_MEDIA,
};

/** What each known reason does to a call (the set is open, and what is not here ends it). */
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

/** Why a call is over that its agent ended: a brain of the customer's own said so, a model, or a flow (docs/webhooks.md#callended). */
export function agentsEndReason({ kind = "custom" }: { readonly kind?: BrainPlan["kind"] }): EndReason {
  return END_REASON_OF[kind];
}
const END_REASON_OF = {
  custom: "agent_end_call",
  model: "llm_end_call",
  flow: "flow_end",
} as const satisfies Record<NonNullable<BrainPlan["kind"]>, EndReason>;

export const END_REASONS = Object.keys(ENDING_OF) as EndReason[];

/** What cannot be said of a call that went live. */
const DENIALS: readonly Ending[] = ["is busy", "is declined", "does not answer", "is canceled"];

/** How a call ended, and why: the two fields of `call.ended`. */
export interface CallEnd {
  readonly status: Decided<EndStatus>;
  readonly reason: string;
}

/** Nothing changes an ended call any more. */
export function isOver(state: CallState): state is EndStatus {
  return END_STATUSES.some((end) => end === state);
}

/** The state after this; the same one when it means nothing there. */
export function nextState(state: CallState, event: Step | Ending): CallState {
  return isOver(state) ? state : (LIFE[state][event] ?? state);
}

/** Where a call stands whose row says this. */
export function stateOf({ status, startedAt }: { status: CallStatus; startedAt: Date | null }): CallState {
  return status === "in-progress" && startedAt === null ? "taken" : status;
}

/** What everybody is told of a call that stands there. */
export function statusOf(state: CallState): Decided<CallStatus> {
  return decided(state === "taken" ? "in-progress" : state);
}

/** What may be written in a row to which `step` means something. */
export function statusesBefore(step: Step): readonly CallStatus[] {
  const states = CALL_STATES.filter((state) => nextState(state, step) !== state);
  return [...new Set(states.map(statusOf))];
}

/** The end of a call of which this is known to have happened, and which reason is given for it. */
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
 * The end that is written down of a call that stands there, where another process told this one without having seen
 * where it stood: a reason of what cannot have been goes with it.
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
