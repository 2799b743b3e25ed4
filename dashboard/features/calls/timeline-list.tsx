import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { clockText } from "./call-labels.ts";
import type { TimelineItem } from "./timeline.ts";

interface TimelineListProps {
  readonly timeline: readonly TimelineItem[];
  /** When the call's clock read 0. */
  readonly beganAt: string;
  /** Absent while the call is live. */
  readonly onSeek?: (secs: number) => void;
}

/** A call's events besides words, on the call's clock. */
export function TimelineList({ timeline, beganAt, onSeek }: TimelineListProps) {
  const beganMs = Date.parse(beganAt);
  const scrolled = useKeyboardScroll<HTMLElement>();
  return (
    <section ref={scrolled} className="pf-card panel" aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      {timeline.length === 0 && (
        <p className="pf-muted">{onSeek ? "No events in this call." : "Nothing has happened yet."}</p>
      )}
      <ol className="call-lines">
        {timeline.map(({ key, atMs, text }) => {
          const secs = Math.max(0, (atMs - beganMs) / 1_000);
          return (
            <li key={key} className="call-line">
              {onSeek ? (
                <button type="button" className="hook-open" onClick={() => onSeek(secs)}>
                  <span className="only-heard">Go to </span>
                  {clockText(secs)}
                </button>
              ) : (
                <span className="pf-muted call-clock">{clockText(secs)}</span>
              )}
              <p>{text}</p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
