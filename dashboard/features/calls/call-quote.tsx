import { clockText, lineText } from "./call-labels.ts";
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
  const shown = line?.text === text ? lineText(line) : text;
  return (
    <>
      <q className="call-quote">{shown}</q>
      {line && onSeek && (
        <button type="button" className="hook-open" onClick={() => onSeek(line.fromSecs)}>
          <span className="only-heard">Play “{shown}” from </span>
          {clockText(line.fromSecs)}
        </button>
      )}
    </>
  );
}
