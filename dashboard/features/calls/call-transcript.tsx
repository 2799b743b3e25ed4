import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { clockText, speakerNames } from "./call-labels.ts";
import { lineAt, timedLines } from "./timed-lines.ts";

interface CallTranscriptProps {
  readonly call: CallDetail;
  /** Playback position; undefined before the first playback. */
  readonly atSecs: number | undefined;
  /** Absent when nothing can be played. */
  readonly onSeek: ((secs: number) => void) | undefined;
}

/** The transcript; marks the line being played. */
export function CallTranscript({ call, atSecs, onSeek }: CallTranscriptProps) {
  const lines = timedLines(call);
  const speakers = speakerNames(call);
  const played = atSecs === undefined ? undefined : lineAt(lines, atSecs);
  return (
    <section className="pf-card panel" aria-labelledby="transcript-title">
      <h2 id="transcript-title">Transcript</h2>
      {lines.length === 0 && <p className="pf-muted">{emptyText(call)}</p>}
      <ol className="call-lines">
        {lines.map((line, index) => (
          <li key={line.key} className="call-line" aria-current={index === played ? "true" : undefined}>
            {onSeek ? (
              <button type="button" className="hook-open" onClick={() => onSeek(line.fromSecs)}>
                <span className="only-heard">Play from </span>
                {clockText(line.fromSecs)}
              </button>
            ) : (
              <span className="pf-muted">{clockText(line.fromSecs)}</span>
            )}
            <p>
              <strong>{speakers[line.role]}:</strong> {line.text}
              {line.interrupted && <span className="pf-muted"> (interrupted here)</span>}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function emptyText({ channel, contentDeletedAt }: CallDetail): string {
  if (contentDeletedAt !== null) return "What was said was deleted.";
  return channel === "softphone" ? "What people say to each other is not written down." : "Nothing was said.";
}
