import type { TurnEffect, TurnEvent, TurnState } from "./turn-state.ts";

/** What was decided about the floor, and why; both are of small sets. */
export interface FloorDecision {
  readonly decision: "duck" | "hold" | "interrupt" | "go_on" | "take_back" | "end_turn" | "ignore";
  readonly reason: string;
}

const BY_SOURCE = { speech: "words", text: "typed", dtmf: "keys", call: "call" } as const;

/** The decisions in a step of the turn's state: what it does, and what brought it about. */
export function decisionsOf(
  before: TurnState,
  event: TurnEvent,
  [after, effects]: readonly [TurnState, readonly TurnEffect[]],
): readonly FloorDecision[] {
  const own: FloorDecision[] =
    event.type === "final" && event.own !== undefined ? [{ decision: "ignore", reason: event.own }] : [];
  if (effects.length === 0) return own;
  const does = new Set(effects.map(({ type }) => type));
  const found: FloorDecision[] = [];
  const isConfirmed = before.agent.kind === "held" && before.agent.confirmed;
  if (does.has("abort_generation") || (does.has("cut_reply") && !isConfirmed)) {
    found.push({ decision: "interrupt", reason: causeOf(event) });
  } else if (does.has("hold_reply")) found.push({ decision: "hold", reason: causeOf(event) });
  if (does.has("restore_reply") || does.has("resume_reply")) {
    found.push({ decision: "go_on", reason: whyGoOn(event, after) });
  } else if (does.has("duck_reply")) found.push({ decision: "duck", reason: causeOf(event) });
  if (does.has("abandon_turn")) found.push({ decision: "take_back", reason: causeOf(event) });
  if (does.has("begin_turn")) found.push({ decision: "end_turn", reason: whyEnded(before, event, does) });
  return [...own, ...found];
}

function causeOf(event: TurnEvent): string {
  if (event.type === "typed") return BY_SOURCE[event.source];
  return event.type === "voice_runs" ? "voice" : "words";
}

function whyGoOn(event: TurnEvent, { caller }: TurnState): string {
  if (event.type === "final" && event.own !== undefined) return event.own;
  if (caller.kind === "trailing") return "words_awaited";
  return event.type === "final" && event.text.trim() !== "" ? "listening" : "no_words";
}

function whyEnded({ caller }: TurnState, event: TurnEvent, does: ReadonlySet<TurnEffect["type"]>): string {
  if (event.type === "typed") return BY_SOURCE[event.source];
  if (does.has("discard_recognition")) return "no_final";
  if (caller.kind !== "trailing") return "words";
  if (caller.capped) return "too_long";
  return caller.endedByText ? "text_stable" : "pause";
}
