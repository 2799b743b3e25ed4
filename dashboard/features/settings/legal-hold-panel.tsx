import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.ts";

interface LegalHoldPanelProps {
  readonly path: string;
  readonly isHeld: boolean;
  readonly isManager: boolean;
  readonly onChanged: () => Promise<void>;
}

/** Turns legal hold on or off. Both ask for confirmation: a hold blocks deletion for everyone. */
export function LegalHoldPanel({ path, isHeld, isManager, onChanged }: LegalHoldPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const [isAsked, setAsked] = useState(false);
  const turn = async (): Promise<void> => {
    await session.call(path, { method: "PATCH", orgId: org.id, body: { legalHold: !isHeld } });
    setAsked(false);
    toast(isHeld ? "Legal hold ended." : "Legal hold started.");
    await onChanged();
  };
  return (
    <section className="pf-card panel" aria-labelledby="hold-title">
      <h2 id="hold-title">Legal hold</h2>
      <p>
        <span className="pf-badge">{isHeld ? "On" : "Off"}</span>{" "}
        {isHeld
          ? "Neither retention nor people can delete anything in this organization."
          : "Suspends all deletion, including retention."}
      </p>
      {isManager && (
        <div className="row">
          <button type="button" className="pf-btn" onClick={() => setAsked(true)}>
            {isHeld ? "End legal hold" : "Start legal hold"}
          </button>
        </div>
      )}
      {isAsked && (
        <FormDialog
          title={isHeld ? "End the legal hold?" : "Start a legal hold?"}
          does={isHeld ? "End legal hold" : "Start legal hold"}
          isDanger={isHeld}
          onSubmit={turn}
          onClose={() => setAsked(false)}
        >
          <p>
            {isHeld
              ? "Calls past their retention are deleted within minutes. This can’t be undone."
              : `Until the hold ends, neither retention nor people can delete anything in ${org.name}.`}
          </p>
        </FormDialog>
      )}
    </section>
  );
}
