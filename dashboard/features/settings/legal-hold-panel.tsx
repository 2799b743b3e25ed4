import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Problem } from "../../ui/messages.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

interface LegalHoldPanelProps {
  readonly path: string;
  readonly isHeld: boolean;
  readonly isManager: boolean;
  readonly onChanged: () => Promise<void>;
}

/** Whether anything may be deleted. Beginning a hold is harmless; ending one is asked for once more. */
export function LegalHoldPanel({ path, isHeld, isManager, onChanged }: LegalHoldPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const [isAsked, setAsked] = useState(false);
  const turn = async (): Promise<void> => {
    await session.call(path, { method: "PATCH", orgId: org.id, body: { legalHold: !isHeld } });
    setAsked(false);
    await onChanged();
  };
  const { run, isBusy, problem } = useSubmit(turn);
  return (
    <section className="pf-card panel" aria-labelledby="hold-title">
      <h2 id="hold-title">Legal hold</h2>
      <p>
        <span className="pf-badge">{isHeld ? "on" : "off"}</span>{" "}
        {isHeld
          ? "Nothing of this organization is deleted, by age or by anybody."
          : "While it is on, nothing is deleted, whatever is said above."}
      </p>
      {problem && <Problem>{problem}</Problem>}
      {isManager && (
        <div className="row">
          <button
            type="button"
            className="pf-btn"
            disabled={isBusy}
            onClick={() => (isHeld ? setAsked(true) : void run())}
          >
            {isHeld ? "End the hold …" : "Begin a hold"}
          </button>
        </div>
      )}
      {isAsked && (
        <FormDialog
          title="End the legal hold?"
          does="End the hold"
          isDanger
          onSubmit={turn}
          onClose={() => setAsked(false)}
        >
          <p>What is older than calls are kept is deleted within minutes, and cannot be had back.</p>
        </FormDialog>
      )}
    </section>
  );
}
