import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { isTextChannel } from "@parley/shared/contracts/text-channels.ts";
import { Link, useParams } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { LoadProblem, Skeleton } from "../../ui/loaded.tsx";
import { AppSlot } from "../apps/app-slot.tsx";
import { useCallRecord } from "../live/use-call-watch.ts";
import { useWatches } from "../live/watches.ts";
import { LatencyChart } from "../talk/latency-chart.tsx";
import { CallAnalysis } from "./call-analysis.tsx";
import { CallCost } from "./call-cost.tsx";
import { CallFacts } from "./call-facts.tsx";
import { titleOf } from "./call-labels.ts";
import { CallNotes } from "./call-notes.tsx";
import { CallTools } from "./call-tools.tsx";
import { CallTranscript } from "./call-transcript.tsx";
import { DeletePanel } from "./delete-panel.tsx";
import { FloorList } from "./floor-list.tsx";
import { FlowLinks } from "./flow-links.tsx";
import { RecordingPanel } from "./recording-panel.tsx";
import { timelineOf } from "./timeline.ts";
import { TimelineList } from "./timeline-list.tsx";
import type { Player } from "./use-waveform.ts";

const CallDeliveries = later(async () => (await import("./call-deliveries.tsx")).CallDeliveries);
const LiveCall = later(async () => (await import("../live/live-call.tsx")).LiveCall);

/** One call's record; a live call is shown as it goes. */
export function CallPage() {
  const { id } = useParams({ from: "/organization/calls/$id" });
  const watches = useWatches();
  const loaded = useCallRecord(id);
  const { data, problem, reload } = loaded;
  return (
    <>
      <Link to="/calls" className="back-link">
        <Icon name="back" /> Calls
      </Link>
      {(!data || data.endTime !== null) && <LoadProblem of={loaded} />}
      {!data && problem === undefined && <Skeleton />}
      {data && (
        <AppPage title={titleOf(data)}>
          <CallFacts call={data} />
          <FlowLinks call={data} />
          <CallNotes key={data.contentDeletedAt} id={data.sessionId} />
          {data.endTime === null && !isTextChannel(data.channel) ? (
            <Suspense fallback={<Skeleton />}>
              <LiveCall call={data} watch={watches.of(data.sessionId)} problem={problem} reload={reload} />
            </Suspense>
          ) : (
            <KeptCall key={data.id} call={data} />
          )}
          <AppSlot slot="call_detail_panel" context={{ callId: data.sessionId }} />
          <CallCost sessionId={data.sessionId} />
          <Suspense>
            <CallDeliveries deliveries={data.deliveries} />
          </Suspense>
          {data.endTime !== null && <DeletePanel call={data} onDeleted={reload} />}
        </AppPage>
      )}
    </>
  );
}

function KeptCall({ call }: { readonly call: CallDetail }) {
  const player = useRef<Player>(undefined);
  const [atSecs, setAtSecs] = useState<number>();
  const hasRecording = call.recording !== null;
  const seek = hasRecording ? (secs: number) => player.current?.playFrom(secs) : undefined;
  return (
    <>
      <CallAnalysis call={call} onSeek={seek} />
      {call.recording && (
        <RecordingPanel
          key={call.recording.id}
          call={call}
          recording={call.recording}
          player={player}
          onTime={setAtSecs}
        />
      )}
      <CallTranscript call={call} atSecs={hasRecording ? atSecs : undefined} onSeek={seek} />
      {call.latency.length > 0 && (
        <LatencyChart
          turns={call.latency}
          most={call.latency.length}
          about="From the caller’s last sound to the agent’s first: the upright line of each turn."
        />
      )}
      {call.floor.length > 0 && <FloorList call={call} />}
      <TimelineList timeline={timelineOf(call)} beganAt={call.startTime ?? call.createdAt} />
      {call.tools.length > 0 && <CallTools tools={call.tools} />}
    </>
  );
}
