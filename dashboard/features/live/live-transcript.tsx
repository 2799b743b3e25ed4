import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { useEffect, useRef } from "react";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { clockText, lineText, speakerNames } from "../calls/call-labels.ts";
import { timedLines } from "../calls/timed-lines.ts";
import { type LiveLine, type LiveView, linesOf } from "./live-view.ts";

interface LiveTranscriptProps {
  readonly call: CallDetail;
  readonly view: LiveView;
}

/** Within this distance of the end, the reader counts as reading along. */
const NEAR_END_PX = 80;

/** The live transcript; follows its end unless the reader scrolls up. */
export function LiveTranscript({ call, view }: LiveTranscriptProps) {
  const box = useKeyboardScroll<HTMLDivElement>();
  const readsAlong = useRef(true);
  useEffect(() => {
    const { current } = box;
    if (current && readsAlong.current) current.scrollTop = current.scrollHeight;
  });
  const lines = linesOf(call.transcript, view);
  const timed = timedLines(call);
  return (
    <section className="pf-card panel call-talk" aria-labelledby="live-title">
      <h2 id="live-title">Transcript</h2>
      {lines.length === 0 && <p className="pf-muted">{emptyText(call)}</p>}
      <div
        ref={box}
        className="live-lines"
        role="log"
        aria-live="polite"
        aria-relevant="additions"
        aria-label="What is said"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          readsAlong.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
        }}
      >
        <ol className="call-lines">
          {lines.map((line, index) => (
            <Line
              key={line.key}
              line={line}
              // The record's lines come first; a line without a time has only come over the stream.
              fromSecs={timed[index]?.fromSecs}
              speakers={speakerNames(call)}
            />
          ))}
        </ol>
      </div>
    </section>
  );
}

interface LineProps {
  readonly line: LiveLine;
  readonly fromSecs: number | undefined;
  readonly speakers: ReturnType<typeof speakerNames>;
}

function Line({ line: { role, text, isOpen, interrupted }, fromSecs, speakers }: LineProps) {
  return (
    // Screen readers hear a line once it is final, never a changing partial.
    <li className={`call-line live-${role} ${isOpen ? "live-open" : ""}`} aria-hidden={isOpen}>
      <span className="pf-muted call-clock">{fromSecs === undefined ? "now" : clockText(fromSecs)}</span>
      <p>
        <strong>{speakers[role]}:</strong> {lineText({ role, text })}
        {isOpen && <span className="live-going"> …</span>}
        {interrupted && <span className="pf-muted"> (interrupted here)</span>}
      </p>
    </li>
  );
}

function emptyText({ channel, endTime }: CallDetail): string {
  if (channel === "softphone") return "Calls between people are not transcribed.";
  return endTime === null ? "Nothing was said yet." : "No transcript: nothing was said.";
}
