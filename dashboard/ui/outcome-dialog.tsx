import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { Success } from "./messages.tsx";

interface OutcomeDialogProps {
  readonly title: string;
  /** What was done. */
  readonly children: ReactNode;
  /** The link to what came of it. */
  readonly see: ReactNode;
  readonly onClose: () => void;
}

/** Says that something was done, and leads to what came of it. */
export function OutcomeDialog({ title, children, see, onClose }: OutcomeDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Success>{children}</Success>
      <div className="row">
        {see}
        <button type="button" className="pf-btn" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
