import { isTextChannel } from "@parley/shared/contracts/text-channels.ts";
import { Link, useParams } from "@tanstack/react-router";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { LoadProblem, Skeleton } from "../../ui/loaded.tsx";
import { AppSlot } from "../apps/app-slot.tsx";
import { useCallRecord } from "../live/use-call-watch.ts";
import { useWatches } from "../live/watches.ts";
import { CallCost } from "./call-cost.tsx";
import { CallFacts } from "./call-facts.tsx";
import { titleOf } from "./call-labels.ts";
import { CallNotes } from "./call-notes.tsx";
import { CallReview } from "./call-review.tsx";
import { DeletePanel } from "./delete-panel.tsx";
import { FlowLinks } from "./flow-links.tsx";

const CallDeliveries = later(async () => (await import("./call-deliveries.tsx")).CallDeliveries);
const LiveCall = later(async () => (await import("../live/live-call.tsx")).LiveCall, Skeleton);

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
          {data.endTime === null && !isTextChannel(data.channel) ? (
            <LiveCall call={data} watch={watches.of(data.sessionId)} problem={problem} reload={reload} />
          ) : (
            <CallReview key={data.id} call={data} />
          )}
          <CallNotes key={data.contentDeletedAt} id={data.sessionId} />
          <AppSlot slot="call_detail_panel" context={{ callId: data.sessionId }} />
          <CallCost sessionId={data.sessionId} />
          <CallDeliveries deliveries={data.deliveries} />
          {data.endTime !== null && <DeletePanel call={data} onDeleted={reload} />}
        </AppPage>
      )}
    </>
  );
}
