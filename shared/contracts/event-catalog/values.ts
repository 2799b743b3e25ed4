import type { EndReason } from "../call-status.ts";
import type { MACHINE_VERDICTS } from "../machine-verdict.ts";

/** The meaning of each value of a field, for the documentation. Later versions may add values to an open set. */
export interface Values {
  readonly isOpen: boolean;
  readonly meanings: Readonly<Record<string, string>>;
}

export const DIRECTIONS = {
  isOpen: false,
  meanings: {
    inbound: "somebody called a number of yours",
    outbound: "Parley called, or a member did from a softphone: softphone legs are always outbound",
    web: "a call or chat from a browser or an app",
    whatsapp: "a WhatsApp conversation",
    instagram: "an Instagram conversation",
  },
} as const satisfies Values;

export const CHANNELS = {
  isOpen: false,
  meanings: {
    telephony: "a telephone call with an agent",
    softphone: "a telephone call of a member",
    web_chat: "a voice call from a browser or an app; there is no `web_call`",
    chat: "a text chat",
    whatsapp: "a WhatsApp conversation",
    instagram: "an Instagram conversation",
    simulation: "a simulated conversation",
  },
} as const satisfies Values;

const MACHINES = {
  machine_start: "a machine, as soon as that was known",
  machine_end_beep: "a machine, after the beep of its greeting",
  machine_end_silence: "a machine, after its greeting ended in silence",
  machine_end_other: "a machine, after its greeting ended otherwise",
  machine: "a machine, no more is known",
} as const satisfies Partial<Record<(typeof MACHINE_VERDICTS)[number], string>>;

export const ANSWERED_BY = {
  isOpen: true,
  meanings: {
    human: "a person: as the carrier says, or because a live person was heard after it had said otherwise",
    ...MACHINES,
    fax: "a fax",
    unknown: "the carrier could not tell",
    amd_unconfirmed: "the carrier said machine, and nothing that was heard confirmed it in time",
  },
} as const satisfies Values;

export const MACHINES_DETECTED = {
  isOpen: false,
  meanings: {
    ...MACHINES,
    machine_text_detect: "a greeting in the transcript, which the carrier had missed",
  } satisfies Record<(typeof MACHINE_VERDICTS)[number], string>,
} as const satisfies Values;

export const MACHINE_ACTIONS = {
  isOpen: false,
  meanings: {
    ivr_hangup: "a phone menu answered, and the call was ended",
    call_screen: "a call screener answered; it was told who calls, and the call goes on",
    amd_hangup: "an answering machine answered, and the call was ended",
    voicemail_drop: "a message was left on the machine, and the call was ended",
  },
} as const satisfies Values;

export const END_REASONS_TOLD = {
  isOpen: true,
  meanings: {
    agent_end_call: "the agent's brain ended it",
    llm_end_call: "the agent's model ended it",
    silence_hangup: "nobody said anything for as long as the agent allows",
    max_duration: "the maximum duration was reached",
    connection_lost: "the caller's connection was lost and did not come back",
    api_request: "it was ended by the API or on a page",
    node_lost: "the gateway that held it failed",
    never_connected: "the caller never connected",
    node_draining: "the gateway that held it was shut down",
    internal_error: "something failed in Parley, or no recognizer or voice was left in a phone call",
    no_answer: "nobody answered",
    busy: "the line was busy",
    declined: "the call was declined",
    carrier_failed: "the carrier could not connect it",
    transferred: "it was transferred",
    amd_hangup: "an answering machine answered",
    voicemail_drop: "a message was left on an answering machine",
    ivr_hangup: "a phone menu answered",
    chat_idle: "nobody wrote any more",
    flow_end: "the agent's flow reached its end",
  } satisfies Record<Exclude<EndReason, "hangup">, string>,
} as const satisfies Values;

export const ROLES = {
  isOpen: false,
  meanings: {
    user: "the caller, or who wrote; in a manual call the other side",
    assistant: "the agent; in a manual call the member",
  },
} as const satisfies Values;

export const TOOL_STATUSES = {
  isOpen: true,
  meanings: {
    success: "the tool answered",
    error:
      "it failed, answered other than 2xx, or with more than 1,048,576 bytes; `result` says what went wrong",
    not_found: "the agent has no tool of this name",
    abandoned: "the caller spoke or hung up before it had answered",
    "confirmation_…": "the caller was asked to confirm it, and what came of that",
  },
} as const satisfies Values;

export const SENTIMENTS = {
  isOpen: false,
  meanings: { positive: "content", neutral: "neither", negative: "not content" },
} as const satisfies Values;

export const RELEASE_REASONS = {
  isOpen: false,
  meanings: {
    renewal_unpaid: "its renewal was not paid: `overdueDays` and `graceDays` are there",
    postpaid_suspended: "the account stayed suspended: `daysSuspended` and `afterSuspendDays` are there",
  },
} as const satisfies Values;
