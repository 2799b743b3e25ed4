import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { useNow } from "../../ui/use-now.ts";
import { clockText, durationText, speakerNames } from "../calls/call-labels.ts";
import { CallStatus } from "../calls/call-status.tsx";
import type { LiveView } from "./live-view.ts";

interface LiveStateProps {
  readonly call: Pick<
    CallSummary,
    "status" | "startTime" | "createdAt" | "endTime" | "durationSecs" | "channel" | "direction"
  >;
  readonly speaker: LiveView["speaker"];
}

/** A call's progress, duration and speaker. */
export function LiveState({ call, speaker }: LiveStateProps) {
  return (
    <div className="live-state">
      <CallStatus call={call} />
      <span className="call-clock">
        {call.endTime === null ? (
          <Counted since={call.startTime ?? call.createdAt} />
        ) : (
          durationText(call.durationSecs)
        )}
      </span>
      {speaker && (
        <span className={`live-speaker live-${speaker}`}>
          <span className="live-bars" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {speakerNames(call)[speaker]} speaks
        </span>
      )}
    </div>
  );
}

function Counted({ since }: { readonly since: string }) {
  return clockText((useNow() - Date.parse(since)) / 1_000);
}
