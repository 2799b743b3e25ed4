import type { KeyboardEvent, MouseEvent } from "react";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { CallPhase } from "./call-view.ts";
import type { CallActions } from "./use-call.ts";

interface CallButtonProps {
  readonly phase: CallPhase;
  readonly actions: Pick<CallActions, "start" | "hangUp">;
}

interface Face {
  readonly icon: IconName;
  readonly label: string;
  readonly look: string;
  readonly does: "start" | "hangUp";
}

/**
 * The one big button: starts the call, cancels it, hangs up. It stays one element, so the keyboard focus
 * survives a change of meaning.
 */
export function CallButton({ phase, actions }: CallButtonProps) {
  const { icon, label, look, does } = faceOf(phase);
  const act = (event: MouseEvent) => {
    // The second click of a double click would hang up the call that the first one started.
    if (event.detail > 1) return;
    if (does === "start") actions.start("voice");
    else actions.hangUp();
  };
  return (
    <div className="talk-start">
      <button type="button" className={`pf-btn talk-big ${look}`} onClick={act} onKeyDown={ignoreRepeats}>
        <Icon name={icon} /> {label}
      </button>
      {does === "start" && (
        <button type="button" className="pf-btn pf-btn-quiet" onClick={() => actions.start("text")}>
          <Icon name="keyboard" /> Type instead
        </button>
      )}
    </div>
  );
}

function faceOf({ at }: CallPhase): Face {
  switch (at) {
    case "idle":
      return { icon: "microphone", label: "Start talking", look: "pf-btn-primary", does: "start" };
    case "preparing":
    case "connecting":
      return { icon: "close", label: "Cancel", look: "", does: "hangUp" };
    case "live":
    case "resuming":
      return { icon: "hang-up", label: "Hang up", look: "pf-btn-danger", does: "hangUp" };
    default:
      return { icon: "microphone", label: "Call again", look: "pf-btn-primary", does: "start" };
  }
}

/** Blocks key repeat: a held key presses again and again. */
function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
