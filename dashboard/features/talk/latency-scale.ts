import type { TurnLatency } from "./call-view.ts";

/** One segment of a turn's bar. */
export interface LatencyPart {
  readonly key: "end-of-turn" | "request" | "brain" | "clause" | "voice" | "rest";
  readonly ms: number;
}

/** Segment names, in chronological order. */
export const PART_NAMES: Readonly<Record<LatencyPart["key"], string>> = {
  "end-of-turn": "End of turn",
  request: "Request",
  brain: "Brain",
  clause: "First clause",
  voice: "Voice",
  rest: "Rest",
};

/**
 * The segments of one turn, which add up to its response time. A request made ahead of the end of the turn is
 * left out; `rest` is time no segment explains (a retry, a line instead of an answer).
 */
export function partsOf(turn: TurnLatency): readonly LatencyPart[] {
  const { endOfTurnMs, brainRequestMs, brainFirstTokenMs, firstClauseMs, ttsFirstByteMs } = turn;
  const others = endOfTurnMs + brainRequestMs + firstClauseMs + ttsFirstByteMs;
  const brainMs = Math.min(brainFirstTokenMs, Math.max(0, turn.responseMs - others));
  const parts: LatencyPart[] = [
    { key: "end-of-turn", ms: endOfTurnMs },
    ...(brainRequestMs > 0 ? [{ key: "request", ms: brainRequestMs } as const] : []),
    { key: "brain", ms: brainMs },
    ...(firstClauseMs > 0 ? [{ key: "clause", ms: firstClauseMs } as const] : []),
    { key: "voice", ms: ttsFirstByteMs },
  ];
  const rest = turn.responseMs - parts.reduce((sum, part) => sum + part.ms, 0);
  if (rest > 0) parts.push({ key: "rest", ms: rest });
  return parts.map((part) => ({ ...part, ms: Math.round(part.ms) }));
}

const STEPS_MS = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000] as const;
const MAX_TICKS = 5;

/** Round values for the axis, from 0 to at least the longest bar. */
export function ticksFor(turns: readonly TurnLatency[]): readonly number[] {
  const longest = Math.max(
    1,
    ...turns.map((turn) =>
      Math.max(turn.responseMs, ...[partsOf(turn).reduce((sum, part) => sum + part.ms, 0)]),
    ),
  );
  const step =
    STEPS_MS.find((candidate) => longest / candidate <= MAX_TICKS) ?? Math.ceil(longest / MAX_TICKS);
  return Array.from({ length: Math.ceil(longest / step) + 1 }, (_, i) => i * step);
}
