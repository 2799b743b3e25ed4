import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { useNow } from "../../ui/use-now.ts";
import { axisOf } from "../calls/call-axis.ts";
import { clockText, reasonText } from "../calls/call-labels.ts";
import { CallTools } from "../calls/call-tools.tsx";
import { TimeAxis } from "../calls/time-axis.tsx";
import { beganAtMs } from "../calls/timed-lines.ts";
import { type TimelineItem, timelineOf } from "../calls/timeline.ts";
import { TimelineList } from "../calls/timeline-list.tsx";
import { LatencyChart } from "../talk/latency-chart.tsx";
import type { CallWatch, Watched } from "./call-watch.ts";
import { LiveControls } from "./live-controls.tsx";
import { LiveState } from "./live-state.tsx";
import { LiveTranscript } from "./live-transcript.tsx";
import { momentsOf } from "./moments.ts";
import { useCallWatch } from "./use-call-watch.ts";

interface LiveCallProps {
  readonly call: CallDetail;
  readonly watch: CallWatch;
  /** Why the record could not be read; the page is then outdated. */
  readonly problem: string | undefined;
  readonly reload: () => Promise<void>;
}

/** A live call, or one that just ended: its transcript, events and controls. */
export function LiveCall({ call, watch, problem, reload }: LiveCallProps) {
  const watched = useCallWatch(watch, reload);
  const { view } = watched;
  const moments = momentsOf(call, view);
  return (
    <>
      <section className="pf-card panel" aria-label="State">
        <LiveState call={call} speaker={view.speaker} />
        <LinkNotice call={call} watched={watched} problem={problem} />
        {call.endTime === null && <LiveControls call={call} onChanged={reload} />}
      </section>
      <div className="call-panes-room">
        <div className="call-panes">
          <section className="pf-card panel call-axis" aria-labelledby="axis-title">
            <h2 id="axis-title">Timeline</h2>
            <LiveAxis call={call} more={moments} />
          </section>
          <LiveTranscript call={call} view={view} />
          <div className="call-details">
            {call.latency.length > 0 && (
              <LatencyChart
                turns={call.latency}
                about="From the caller’s last sound to the agent’s first: the upright line of each turn."
              />
            )}
            <TimelineList timeline={timelineOf(call, moments)} beganAt={call.startTime ?? call.createdAt} />
            {call.tools.length > 0 && <CallTools tools={call.tools} />}
          </div>
        </div>
      </div>
    </>
  );
}

interface LiveAxisProps {
  readonly call: CallDetail;
  readonly more: readonly TimelineItem[];
}

/** Grows with the call, second by second. */
function LiveAxis({ call, more }: LiveAxisProps) {
  const nowMs = useNow();
  const untilSecs = call.endTime === null ? (nowMs - beganAtMs(call)) / 1_000 : 0;
  return <TimeAxis call={call} axis={axisOf(call, { more, untilSecs })} />;
}

interface LinkNoticeProps {
  readonly call: CallDetail;
  readonly watched: Watched;
  readonly problem: string | undefined;
}

/** Says whether the page is live. Present from the start, so that screen readers announce changes. */
function LinkNotice({ call, watched: { link }, problem }: LinkNoticeProps) {
  const isLost = call.endTime === null && (link === "lost" || problem !== undefined);
  return (
    <div role="status">
      {isLost && (
        <p className="message message-problem">
          Connection lost. Reconnecting… What was said meanwhile will be added.
        </p>
      )}
      {call.endTime !== null && (
        <p>
          {reasonText(call.endReason)}
          {call.durationSecs !== null && `, after ${clockText(call.durationSecs)}`}.
        </p>
      )}
    </div>
  );
}
