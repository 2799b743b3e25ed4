/** All state transitions of campaigns and their targets; nothing else changes a state. */

export const CAMPAIGN_STATES = ["draft", "running", "paused", "done", "canceled"] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** `finish`: nobody is left to call, or a stop condition is met. */
export const CAMPAIGN_STEPS = ["start", "pause", "finish", "cancel"] as const;
export type CampaignStep = (typeof CAMPAIGN_STEPS)[number];

const CAMPAIGN_LIFE: Readonly<Record<CampaignState, Partial<Record<CampaignStep, CampaignState>>>> = {
  draft: { start: "running", cancel: "canceled" },
  running: { pause: "paused", finish: "done", cancel: "canceled" },
  paused: { start: "running", finish: "done", cancel: "canceled" },
  // Starting again calls targets that were added later.
  done: { start: "running" },
  canceled: {},
};

/** Undefined when the step is not allowed in this state. */
export function campaignAfter(state: CampaignState, step: CampaignStep): CampaignState | undefined {
  return CAMPAIGN_LIFE[state][step];
}

export const TARGET_STATES = ["waiting", "calling", "done"] as const;
export type TargetState = (typeof TARGET_STATES)[number];

/**
 * How an attempt ended, or why there was none. `sent`: a message, not a call. `removed`: by a person, before any
 * call.
 */
export const OUTCOMES = [
  "answered",
  "sent",
  "voicemail",
  "no_answer",
  "busy",
  "failed",
  "do_not_call",
  "removed",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes after which a target may be called again, as often as the campaign allows. */
export const RETRIED_OUTCOMES = ["voicemail", "no_answer", "busy", "failed"] as const;

/**
 * `deal`: the target's turn has come; `give back`: it was not dialed after all; `retry`: once more, later; `settle`:
 * final.
 */
export type TargetStep = "deal" | "give back" | "retry" | "settle";

const TARGET_LIFE: Readonly<Record<TargetState, Partial<Record<TargetStep, TargetState>>>> = {
  waiting: { deal: "calling", settle: "done" },
  calling: { "give back": "waiting", retry: "waiting", settle: "done" },
  done: {},
};

export function targetAfter(state: TargetState, step: TargetStep): TargetState | undefined {
  return TARGET_LIFE[state][step];
}
