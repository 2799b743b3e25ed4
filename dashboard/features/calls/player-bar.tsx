import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import { Problem } from "../../ui/messages.tsx";
import { clockText } from "./call-labels.ts";
import type { Cursor } from "./use-cursor.ts";

interface PlayerBarProps {
  readonly lengthSecs: number;
  readonly cursor: Cursor;
  /** Absent when there is nothing to play. */
  readonly recording: NonNullable<CallRecord["recording"]> | undefined;
}

/** Plays the recording, says where in the call the cursor is, and which keys move it. */
export function PlayerBar({ lengthSecs, cursor, recording }: PlayerBarProps) {
  const { atSecs, isPlaying, isBroken, toggle, seek } = cursor;
  return (
    <>
      <div className="row call-player">
        {recording ? (
          <button type="button" className="pf-btn pf-btn-primary" onClick={toggle}>
            {isPlaying ? "Pause" : "Play"}
          </button>
        ) : (
          <span className="pf-muted">No recording</span>
        )}
        <input
          type="range"
          aria-label="Position in the call"
          aria-valuetext={`${clockText(atSecs)} of ${clockText(lengthSecs)}`}
          min="0"
          max={lengthSecs}
          step="any"
          value={Math.min(atSecs, lengthSecs)}
          onChange={(event) => seek(Number(event.target.value))}
        />
        <span className="call-clock">
          {clockText(atSecs)} / {clockText(lengthSecs)}
        </span>
      </div>
      {recording?.partial && (
        <p className="pf-muted">The end is missing: the disk was full while the call went on.</p>
      )}
      {isBroken && (
        <Problem>The recording could not be played. Reload the page: its link is good for an hour.</Problem>
      )}
      <details className="call-keys">
        <summary>Keyboard shortcuts</summary>
        <dl>
          <dt>
            <kbd>J</kbd> <kbd>K</kbd>
          </dt>
          <dd>Next or previous turn</dd>
          <dt>
            <kbd>↓</kbd> <kbd>↑</kbd>
          </dt>
          <dd>Next or previous line, in the transcript</dd>
          {recording && (
            <>
              <dt>
                <kbd>Space</kbd>
              </dt>
              <dd>Play or pause</dd>
            </>
          )}
          <dt>
            <kbd>Enter</kbd>
          </dt>
          <dd>Go to the selected line</dd>
        </dl>
      </details>
    </>
  );
}
