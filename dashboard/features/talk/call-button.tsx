import type { MouseEvent } from "react";
import { Icon } from "../../ui/icon.tsx";
import type { CallPhase } from "./call-view.ts";
import type { CallActions } from "./use-call.ts";

interface CallButtonProps {
  readonly phase: CallPhase;
  readonly actions: Pick<CallActions, "start" | "hangUp">;
}

/** The one big button: starts the call, gives up waiting for it, hangs up. */
export function CallButton({ phase, actions }: CallButtonProps) {
  switch (phase.at) {
    case "preparing":
    case "connecting":
      return (
        <button type="button" className="pf-btn talk-big" onClick={onSingleClick(actions.hangUp)}>
          <Icon name="close" /> Cancel
        </button>
      );
    case "live":
    case "resuming":
      return (
        <button
          type="button"
          className="pf-btn pf-btn-danger talk-big"
          onClick={onSingleClick(actions.hangUp)}
        >
          <Icon name="hang-up" /> Hang up
        </button>
      );
    default:
      return (
        <div className="talk-start">
          <button
            type="button"
            className="pf-btn pf-btn-primary talk-big"
            onClick={onSingleClick(() => actions.start("voice"))}
          >
            <Icon name="microphone" /> {phase.at === "idle" ? "Start talking" : "Call again"}
          </button>
          <button type="button" className="pf-btn pf-btn-quiet" onClick={() => actions.start("text")}>
            <Icon name="keyboard" /> Type instead
          </button>
        </div>
      );
  }
}

/** The second click of a double click would hang up the call that the first one started. */
function onSingleClick(act: () => void) {
  return (event: MouseEvent) => {
    if (event.detail <= 1) act();
  };
}
