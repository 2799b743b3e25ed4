import type { CallRecord } from "@parley/shared/contracts/calls.ts";

type Said = CallRecord["transcript"][number];

export interface TimedLine extends Said {
  readonly key: string;
  /** Position in the recording. */
  readonly fromSecs: number;
}

/**
 * The transcript on the recording's clock, which starts with the call. A line is stored when complete, so it
 * began where the previous one was stored.
 */
export function timedLines({
  transcript,
  startTime,
}: Pick<CallRecord, "transcript" | "startTime">): TimedLine[] {
  const beganMs = Date.parse(startTime ?? transcript[0]?.at ?? "");
  const endsSecs = transcript.map(({ at }) => Math.max(0, (Date.parse(at) - beganMs) / 1_000));
  return transcript.map((said, index) => ({
    ...said,
    key: `${index}-${said.at}`,
    fromSecs: index === 0 ? 0 : (endsSecs[index - 1] ?? 0),
  }));
}

/** The first line that contains a quote verbatim; undefined when none does. */
export function lineWith(lines: readonly TimedLine[], quote: string): TimedLine | undefined {
  return quote === "" ? undefined : lines.find(({ text }) => text.includes(quote));
}

/** Index of the line played at a time; undefined when there is none. */
export function lineAt(lines: readonly TimedLine[], secs: number): number | undefined {
  const index = lines.findLastIndex(({ fromSecs }) => fromSecs <= secs);
  return index === -1 ? undefined : index;
}
