import type { ArrivalFigures } from "@parley/shared/contracts/call-socket.ts";

/** From 1 to 4. */
export interface Grade {
  readonly bars: 1 | 2 | 3 | 4;
  readonly word: "Good" | "Fair" | "Poor" | "Bad";
}

/** The window of the gateway's figures, in frames of 20 ms. */
const FRAMES_COUNTED = 100;

const GRADES: readonly Grade[] = [
  { bars: 4, word: "Good" },
  { bars: 3, word: "Fair" },
  { bars: 2, word: "Poor" },
  { bars: 1, word: "Bad" },
];
/**
 * Upper limits for good, fair and poor. People start to notice a round trip of 300 ms (ITU-T G.114: 150 ms
 * one way); jitter beyond the buffer tears holes; 1 % of lost speech goes unheard, and 10 % makes speech
 * unintelligible.
 */
const LIMITS = {
  roundTripMs: [150, 300, 600],
  jitterMs: [20, 40, 80],
  missingPercent: [1, 3, 10],
} as const;

/** Grades one direction of a call by its worst figure. */
export function gradeOf(arrival: ArrivalFigures, roundTripMs?: number): Grade {
  const figures = [
    stepOf(arrival.jitterMs, LIMITS.jitterMs),
    stepOf(missingPercent(arrival), LIMITS.missingPercent),
    stepOf(roundTripMs ?? 0, LIMITS.roundTripMs),
  ];
  return GRADES[Math.max(...figures)] ?? { bars: 1, word: "Bad" };
}

/** The share of speech that came too late, or too fast to be played. */
export function missingPercent({ lateFrames, lostFrames }: ArrivalFigures): number {
  return Math.min(100, ((lateFrames + lostFrames) * 100) / FRAMES_COUNTED);
}

function stepOf(value: number, limits: readonly number[]): number {
  const step = limits.findIndex((limit) => value <= limit);
  return step === -1 ? limits.length : step;
}
