import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { memo, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { AxisTurn } from "./call-axis.ts";
import { clockText, lineText, speakerNames } from "./call-labels.ts";
import type { TimedLine } from "./timed-lines.ts";

interface CallTranscriptProps {
  readonly call: CallDetail;
  readonly turns: readonly AxisTurn[];
  /** Key of the line at the cursor. */
  readonly current: string | undefined;
  readonly onSeek: (secs: number) => void;
}

/** The conversation, turn by turn; marks the line at the cursor and keeps it in sight. */
export const CallTranscript = memo(function CallTranscript({
  call,
  turns,
  current,
  onSeek,
}: CallTranscriptProps) {
  const box = useRef<HTMLElement>(null);
  useLinePresses(box, onSeek);
  useFollowing(box, current);
  const speakers = speakerNames(call);
  return (
    <section ref={box} className="pf-card panel call-talk" aria-labelledby="transcript-title">
      <h2 id="transcript-title">Transcript</h2>
      {turns.length === 0 && <p className="pf-muted">{emptyText(call)}</p>}
      <ol className="call-turns">
        {turns.map((turn) => (
          <li key={turn.key}>
            <h3 className="call-turn">
              {turn.text}
              {turn.responseMs !== undefined && (
                <span className="pf-muted"> · answered after {Math.round(turn.responseMs)} ms</span>
              )}
            </h3>
            <ol className="call-lines">
              {turn.lines.map((line) => (
                <Line
                  key={line.key}
                  line={line}
                  speaker={speakers[line.role]}
                  isCurrent={line.key === current}
                />
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </section>
  );
});

interface LineProps {
  readonly line: TimedLine;
  readonly speaker: string;
  readonly isCurrent: boolean;
}

const Line = memo(function Line({ line, speaker, isCurrent }: LineProps) {
  return (
    <li
      className={`call-line call-line-timed call-${line.role}`}
      data-at={line.fromSecs}
      aria-current={isCurrent ? "true" : undefined}
    >
      {/* One stop of the Tab key for the whole transcript, as in a list. */}
      <button type="button" className="hook-open" tabIndex={isCurrent ? 0 : -1}>
        <span className="only-heard">Go to </span>
        {clockText(line.fromSecs)}
      </button>
      <p>
        <strong>{speaker}:</strong> {lineText(line)}
        {line.interrupted && <span className="pf-muted"> (interrupted here)</span>}
      </p>
    </li>
  );
});

/** A press anywhere on a line goes to it; its text can still be selected and copied. */
function useLinePresses(box: RefObject<HTMLElement | null>, onSeek: (secs: number) => void): void {
  useEffect(() => {
    const onClick = ({ target }: MouseEvent): void => {
      if (!(target instanceof Element) || getSelection()?.isCollapsed === false) return;
      const at = target.closest<HTMLElement>("[data-at]")?.dataset.at;
      if (at !== undefined) onSeek(Number(at));
    };
    const element = box.current;
    element?.addEventListener("click", onClick);
    return () => element?.removeEventListener("click", onClick);
  }, [box, onSeek]);
}

/** Scrolls the transcript, never the page, to the current line; takes the focus along that is on a line. */
function useFollowing(box: RefObject<HTMLElement | null>, current: string | undefined): void {
  useLayoutEffect(() => {
    const element = box.current;
    const line = element?.querySelector<HTMLElement>("[aria-current]");
    if (!element || !line || current === undefined) return;
    const { top, bottom } = line.getBoundingClientRect();
    const seen = element.getBoundingClientRect();
    if (top < seen.top || bottom > seen.bottom) {
      element.scrollTop += top - seen.top - (seen.height - (bottom - top)) / 2;
    }
    if (element.contains(document.activeElement) && document.activeElement?.closest("[data-at]")) {
      line.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
    }
  }, [box, current]);
}

function emptyText({ channel, contentDeletedAt }: CallDetail): string {
  if (contentDeletedAt !== null) return "The transcript was deleted.";
  return channel === "softphone"
    ? "Calls between people are not transcribed."
    : "No transcript: nothing was said.";
}
