import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { useRef, useState } from "react";
import { Link } from "wouter";
import { useData } from "../../api/use-data.ts";
import { useRepeat } from "../../api/use-repeat.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { InnerPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/messages.tsx";
import { LatencyChart } from "../talk/latency-chart.tsx";
import { CallDeliveries } from "./call-deliveries.tsx";
import { CallFacts } from "./call-facts.tsx";
import { CallNotes } from "./call-notes.tsx";
import { CallTools } from "./call-tools.tsx";
import { CallTranscript } from "./call-transcript.tsx";
import { withText } from "./call-words.ts";
import { RecordingPanel } from "./recording-panel.tsx";
import type { Player } from "./use-waveform.ts";

/** How often one looks at a call that goes on. */
const WATCH_MS = 3_000;

/** What is kept of one call. */
export function CallPage({ id }: { readonly id: string }) {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/calls/${encodeURIComponent(id)}`;
  const { data, problem, reload } = useData(path, () =>
    session.call<CallDetail>(path, { method: "GET", orgId: org.id }),
  );
  useRepeat(reload, data?.endTime === null ? WATCH_MS : undefined);
  return (
    <>
      <Link to="/calls" className="back-link">
        <Icon name="back" /> Calls
      </Link>
      {problem && <Problem>{problem}</Problem>}
      {data && <KnownCall key={data.id} call={data} />}
    </>
  );
}

function KnownCall({ call }: { readonly call: CallDetail }) {
  const player = useRef<Player>(undefined);
  const [atSecs, setAtSecs] = useState<number>();
  const hasRecording = call.recording !== null;
  return (
    <InnerPage title={`Call with ${withText(call)}`}>
      <CallFacts call={call} />
      <CallNotes id={call.sessionId} />
      {call.recording && (
        <RecordingPanel
          key={call.recording.id}
          sessionId={call.sessionId}
          recording={call.recording}
          player={player}
          onTime={setAtSecs}
        />
      )}
      <CallTranscript
        call={call}
        atSecs={atSecs}
        onSeek={hasRecording ? (secs) => player.current?.playFrom(secs) : undefined}
      />
      {call.latency.length > 0 && (
        <LatencyChart
          turns={call.latency}
          most={call.latency.length}
          about="From the caller’s last sound to the agent’s first: the upright line of each turn."
        />
      )}
      {call.tools.length > 0 && <CallTools tools={call.tools} />}
      <CallDeliveries deliveries={call.deliveries} />
    </InnerPage>
  );
}
