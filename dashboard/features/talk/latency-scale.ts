import type { TurnLatency } from "./call-view.ts";

/** One stretch of a turn's bar. */
export interface LatencyPart {
  readonly key: "end-of-turn" | "brain" | "voice" | "rest";
  readonly ms: number;
}

/** Names of the parts, in the order in which they happen. */
export const PART_NAMES: Readonly<Record<LatencyPart["key"], string>> = {
  "end-of-turn": "End of turn",
  brain: "Brain",
  voice: "Voice",
  rest: "Rest",
};

/**
 * The stretches of one turn. `rest` is what the three do not explain (text gathering into a clause,
 * pacing); with a speculative request the three overlap and there is no rest.
 */
export function partsOf(turn: TurnLatency): readonly LatencyPart[] {
  const parts: LatencyPart[] = [
    { key: "end-of-turn", ms: turn.endOfTurnMs },
    { key: "brain", ms: turn.brainFirstTokenMs },
    { key: "voice", ms: turn.ttsFirstByteMs },
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
