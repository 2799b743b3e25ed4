import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import { isTextChannel } from "@parley/shared/contracts/text-channels.ts";

type Said = CallRecord["transcript"][number];
type TimedCall = Pick<CallRecord, "transcript" | "startTime" | "createdAt" | "channel">;

export interface TimedLine extends Said {
  readonly key: string;
  /** Where the line begins on the call's clock, which is the recording's. */
  readonly fromSecs: number;
  /** Where it was complete. */
  readonly toSecs: number;
}

/** When the call's clock read 0, in Unix milliseconds. */
export function beganAtMs({ startTime, createdAt }: Pick<CallRecord, "startTime" | "createdAt">): number {
  return Date.parse(startTime ?? createdAt);
}

/**
 * The transcript on the call's clock. A spoken line is stored when complete, so it began where the previous one
 * was stored; a written one has no length.
 */
export function timedLines(call: TimedCall): TimedLine[] {
  const { transcript } = call;
  const beganMs = beganAtMs(call);
  const isWritten = isTextChannel(call.channel);
  const endsSecs = transcript.map(({ at }) => Math.max(0, (Date.parse(at) - beganMs) / 1_000));
  return transcript.map((said, index) => {
    const toSecs = endsSecs[index] ?? 0;
    const before = index === 0 ? 0 : (endsSecs[index - 1] ?? 0);
    return { ...said, key: `${index}-${said.at}`, fromSecs: isWritten ? toSecs : before, toSecs };
  });
}

/** The first line that contains a quote verbatim; undefined when none does. */
export function lineWith(lines: readonly TimedLine[], quote: string): TimedLine | undefined {
  return quote === "" ? undefined : lines.find(({ text }) => text.includes(quote));
}

/** A player rounds the place it was sent to, so that it may say it stands a little before it. */
const ROUNDING_SECS = 0.001;

/**
 * Where a step on or back from a time leads; undefined beyond the ends. What begins at the same time is one place: a step
 * back never stays where it was.
 */
export function stepFrom(
  of: readonly { readonly fromSecs: number }[],
  secs: number,
  step: 1 | -1,
): number | undefined {
  const index = indexAt(of, secs);
  if (step === 1) return of[(index ?? -1) + 1]?.fromSecs;
  const here = index === undefined ? undefined : of[index];
  return here && of.findLast(({ fromSecs }) => fromSecs < here.fromSecs - ROUNDING_SECS)?.fromSecs;
}

/** Index of the line or turn at a time; undefined when there is none. */
export function indexAt(of: readonly { readonly fromSecs: number }[], secs: number): number | undefined {
  const index = of.findLastIndex(({ fromSecs }) => fromSecs <= secs + ROUNDING_SECS);
  return index === -1 ? undefined : index;
}
