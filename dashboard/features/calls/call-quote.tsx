import { clockText } from "./call-labels.ts";
import { lineWith, type TimedLine } from "./timed-lines.ts";

/** Source of quotes. */
export interface QuotedIn {
  readonly lines: readonly TimedLine[];
  /** Absent when nothing can be played. */
  readonly onSeek: ((secs: number) => void) | undefined;
}

/** A quote from the conversation that plays the recording from its line. */
export function CallQuote({
  text,
  quoted: { lines, onSeek },
}: {
  readonly text: string;
  readonly quoted: QuotedIn;
}) {
  const line = lineWith(lines, text);
  return (
    <>
      <q className="call-quote">{text}</q>
      {line && onSeek && (
        <button type="button" className="hook-open" onClick={() => onSeek(line.fromSecs)}>
          <span className="only-heard">Play “{text}” from </span>
          {clockText(line.fromSecs)}
        </button>
      )}
    </>
  );
}
