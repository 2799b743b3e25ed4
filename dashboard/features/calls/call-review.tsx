import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { LoadProblem, Skeleton } from "../../ui/loaded.tsx";
import { LatencyChart } from "../talk/latency-chart.tsx";
import { CallAnalysis } from "./call-analysis.tsx";
import { axisOf, type CallAxis } from "./call-axis.ts";
import { CallTools } from "./call-tools.tsx";
import { CallTranscript } from "./call-transcript.tsx";
import { FloorList } from "./floor-list.tsx";
import { PlayerBar } from "./player-bar.tsx";
import { TimeAxis } from "./time-axis.tsx";
import { indexAt, stepFrom } from "./timed-lines.ts";
import { timelineOf } from "./timeline.ts";
import { TimelineList } from "./timeline-list.tsx";
import { useCallKeys } from "./use-call-keys.ts";
import { type Cursor, useCursor } from "./use-cursor.ts";
import { useRecordingWaves, Waves } from "./waves.tsx";

/** A finished call, or an open chat: what was said on the left, when all of it happened on the right. */
export function CallReview({ call }: { readonly call: CallDetail }) {
  const axis = useMemo(() => axisOf(call), [call]);
  const cursor = useCursor();
  const { turns } = axis;
  const { seek, atSecs } = cursor;
  const hasRecording = call.recording !== null;
  const lines = useMemo(() => turns.flatMap((turn) => turn.lines), [turns]);
  const onTurn = useStep(turns, cursor);
  const onLine = useStep(lines, cursor);
  useCallKeys({ onTurn, onLine, onToggle: hasRecording ? cursor.toggle : undefined });
  const lineAt = indexAt(lines, atSecs);
  return (
    <>
      <div className="call-panes-room">
        <div className="call-panes">
          <section className="pf-card panel call-axis" aria-labelledby="axis-title">
            <h2 id="axis-title">{hasRecording ? "Recording" : "Timeline"}</h2>
            <RecordedAxis call={call} axis={axis} cursor={cursor} />
          </section>
          <CallTranscript
            call={call}
            turns={turns}
            current={lineAt === undefined ? undefined : lines[lineAt]?.key}
            onSeek={seek}
          />
          <div className="call-details">
            {call.latency.length > 0 && (
              <LatencyChart
                turns={call.latency}
                most={call.latency.length}
                about="From the caller’s last sound to the agent’s first: the upright line of each turn."
              />
            )}
            <TimelineList
              timeline={timelineOf(call)}
              beganAt={call.startTime ?? call.createdAt}
              onSeek={seek}
            />
            {call.tools.length > 0 && <CallTools tools={call.tools} />}
            {call.floor.length > 0 && <FloorList call={call} />}
          </div>
        </div>
      </div>
      <CallAnalysis call={call} onSeek={hasRecording ? cursor.playFrom : undefined} />
    </>
  );
}

/** Goes on or back from wherever the cursor is. */
function useStep(
  among: readonly { readonly fromSecs: number }[],
  { seek, atSecs }: Cursor,
): (step: 1 | -1) => void {
  const latest = useRef({ among, atSecs });
  useEffect(() => {
    latest.current = { among, atSecs };
  });
  return useCallback(
    (step) => {
      const to = stepFrom(latest.current.among, latest.current.atSecs, step);
      if (to !== undefined) seek(to);
    },
    [seek],
  );
}

interface RecordedAxisProps {
  readonly call: CallDetail;
  readonly axis: CallAxis;
  readonly cursor: Cursor;
}

function RecordedAxis({ call, axis, cursor }: RecordedAxisProps) {
  if (call.recording) return <WavedAxis call={call} recording={call.recording} axis={axis} cursor={cursor} />;
  return (
    <>
      <PlayerBar lengthSecs={axis.lengthSecs} cursor={cursor} recording={undefined} />
      <TimeAxis call={call} axis={axis} cursor={cursor} />
    </>
  );
}

type WavedAxisProps = RecordedAxisProps & { readonly recording: NonNullable<CallDetail["recording"]> };

function WavedAxis({ call, recording, axis, cursor }: WavedAxisProps) {
  const loaded = useRecordingWaves(call.sessionId);
  const waveform = loaded.data;
  const { sound, listener } = cursor;
  if (!waveform && loaded.problem === undefined) return <Skeleton />;
  return (
    <>
      <LoadProblem of={loaded} />
      <PlayerBar lengthSecs={axis.lengthSecs} cursor={cursor} recording={waveform && recording} />
      <TimeAxis
        call={call}
        axis={axis}
        cursor={cursor}
        waves={
          waveform && {
            lanes: waveform.channels.length,
            drawn: (
              <Waves
                key={recording.id}
                waveform={waveform}
                recording={recording}
                lengthSecs={axis.lengthSecs}
                sound={sound}
                listener={listener}
              />
            ),
          }
        }
      />
    </>
  );
}
