import type { ArrivalFigures } from "@parley/shared/contracts/call-socket.ts";

/** Of four bars. */
export interface Grade {
  readonly bars: 1 | 2 | 3 | 4;
  readonly word: "Good" | "Fair" | "Poor" | "Bad";
}

/** What the gateway counts a figure over, in frames of 20 ms. */
const FRAMES_COUNTED = 100;

const GRADES: readonly Grade[] = [
  { bars: 4, word: "Good" },
  { bars: 3, word: "Fair" },
  { bars: 2, word: "Poor" },
  { bars: 1, word: "Bad" },
];
/**
 * The most of each for good, fair and poor. A round trip of 300 ms is what people begin to feel (ITU-T G.114: 150 ms one
 * way); jitter beyond what is buffered tears holes; of lost speech 1 % is not heard and 10 % is not understood.
 */
const LIMITS = {
  roundTripMs: [150, 300, 600],
  jitterMs: [20, 40, 80],
  missingPercent: [1, 3, 10],
} as const;

/** How well one way of a call works: as its worst figure says. */
export function gradeOf(arrival: ArrivalFigures, roundTripMs?: number): Grade {
  const figures = [
    stepOf(arrival.jitterMs, LIMITS.jitterMs),
    stepOf(missingPercent(arrival), LIMITS.missingPercent),
    stepOf(roundTripMs ?? 0, LIMITS.roundTripMs),
  ];
  return GRADES[Math.max(...figures)] ?? { bars: 1, word: "Bad" };
}

/** The share of speech that was not there in time, or came too fast to be played. */
export function missingPercent({ lateFrames, lostFrames }: ArrivalFigures): number {
  return Math.min(100, ((lateFrames + lostFrames) * 100) / FRAMES_COUNTED);
}

function stepOf(value: number, limits: readonly number[]): number {
  const step = limits.findIndex((limit) => value <= limit);
  return step === -1 ? limits.length : step;
}
