import { useBlocker } from "@tanstack/react-router";
import { Dialog } from "../../ui/dialog.tsx";

interface LeaveGuardProps {
  /** Leaving is free within this address and those below it. */
  readonly within: string;
}

/** While mounted, asks before the person leaves by link, by going back or by closing the page. */
export function LeaveGuard({ within }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => next.pathname !== within && !next.pathname.startsWith(`${within}/`),
    enableBeforeUnload: true,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Dialog title="Leave without saving?" onClose={blocker.reset}>
      <p>What you changed of this agent is not saved and would be lost.</p>
      <div className="row">
        <button type="button" className="pf-btn pf-btn-primary" onClick={blocker.reset}>
          Stay
        </button>
        <button type="button" className="pf-btn pf-btn-danger" onClick={blocker.proceed}>
          Leave without saving
        </button>
      </div>
    </Dialog>
  );
}
