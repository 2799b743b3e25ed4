import { clockText } from "./call-labels.ts";
import type { TimelineItem } from "./timeline.ts";

interface TimelineListProps {
  readonly timeline: readonly TimelineItem[];
  /** When the call's clock read 0. */
  readonly beganAt: string;
}

/** A call's events besides words, on the call's clock. */
export function TimelineList({ timeline, beganAt }: TimelineListProps) {
  const beganMs = Date.parse(beganAt);
  return (
    <section className="pf-card panel" aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      {timeline.length === 0 && <p className="pf-muted">Nothing has happened yet.</p>}
      <ol className="call-lines">
        {timeline.map(({ key, atMs, text }) => (
          <li key={key} className="call-line">
            <span className="pf-muted call-clock">{clockText((atMs - beganMs) / 1_000)}</span>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
