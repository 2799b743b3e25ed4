import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import { useState } from "react";
import { useHere } from "../../api/use-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { later } from "../../ui/later.ts";
import { Success } from "../../ui/messages.tsx";

const EndDialog = later(async () => (await import("./control-dialogs.tsx")).EndDialog);
const TransferDialog = later(async () => (await import("./control-dialogs.tsx")).TransferDialog);
const PlayDialog = later(async () => (await import("./control-dialogs.tsx")).PlayDialog);

interface LiveControlsProps {
  readonly call: CallDetail;
  readonly onChanged: () => Promise<void>;
}

type Shown = "end" | "transfer" | "play";

/** Controls for a live call, for people permitted to use them. */
export function LiveControls({ call, onChanged }: LiveControlsProps) {
  const { org } = useHere();
  const [shown, show] = useState<Shown>();
  const [said, say] = useState<string>();
  if (!isAtLeast(org.role, "developer")) {
    return (
      <p className="pf-muted">
        You may read along. Ending and transferring calls needs the role developer, admin or owner; yours is{" "}
        {org.role}.
      </p>
    );
  }
  const open = (dialog: Shown): void => {
    say(undefined);
    show(dialog);
  };
  const dialog = {
    sessionId: call.sessionId,
    onClose: () => show(undefined),
    onDone: async (done: string) => {
      show(undefined);
      say(done);
      await onChanged();
    },
  };
  const isPhone = call.channel === "telephony" || call.channel === "softphone";
  return (
    <>
      <div className="row">
        <button type="button" className="pf-btn pf-btn-danger" onClick={() => open("end")}>
          <Icon name="hang-up" /> End call
        </button>
        {isPhone && call.status === "in-progress" && (
          <button type="button" className="pf-btn" onClick={() => open("transfer")}>
            Transfer
          </button>
        )}
        {call.channel === "softphone" && call.status === "in-progress" && (
          <button type="button" className="pf-btn" onClick={() => open("play")}>
            Play a file
          </button>
        )}
      </div>
      {said && <Success>{said}</Success>}
      {shown === "end" && <EndDialog {...dialog} />}
      {shown === "transfer" && <TransferDialog {...dialog} />}
      {shown === "play" && <PlayDialog {...dialog} />}
    </>
  );
}
