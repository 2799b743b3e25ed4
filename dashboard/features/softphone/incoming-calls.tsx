import type { RingingCall } from "@parley/shared/contracts/softphones.ts";
import { useEffect, useState } from "react";
import { reasonOf } from "../../api/api-error.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/messages.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { useSoftphone } from "./softphone-context.ts";
import { isBusy } from "./softphone-view.ts";

interface IncomingCallsProps {
  /** Called to show the call's page. */
  readonly onAnswered: () => void;
}

/** Calls ringing for this member, on every page. Keeps the focus where it is: the person may be typing. */
export function IncomingCalls({ onAnswered }: IncomingCallsProps) {
  const { incoming, actions, view } = useSoftphone();
  const [problem, setProblem] = useState<string>();
  const isFree = !isBusy(view);
  const [first] = incoming.calls;
  const [isAnswering, setAnswering] = useState(false);
  const answer = (call: RingingCall): void => {
    setProblem(undefined);
    if (isFree) {
      actions.answer(call);
      onAnswered();
      return;
    }
    if (isAnswering) return;
    setAnswering(true);
    actions
      .endAndAnswer(call)
      .then(onAnswered, (error: unknown) => setProblem(reasonOf(error)))
      .finally(() => setAnswering(false));
  };
  const decline = (call: RingingCall): void => {
    setProblem(undefined);
    actions.decline(call).catch((error: unknown) => setProblem(reasonOf(error)));
  };
  useEffect(() => {
    if (!first) return;
    const onKey = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
      if (event.code === "KeyA" && isFree) answer(first);
      else if (event.code === "KeyR") decline(first);
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  useTitle(first);
  return (
    // An open dialog hides all else from screen readers, but what says `aria-live`.
    <div role="alert" aria-live="assertive" className="incoming-calls">
      {incoming.calls.map((call) => (
        <section key={call.sessionId} className="pf-card incoming-call" aria-label="Incoming call">
          <p>
            <Icon name="call-in" /> {!isFree && <span className="pf-badge">Call waiting</span>}
            <strong>{phoneText(call.fromNumber)}</strong> calls {phoneText(call.toNumber)}
          </p>
          <div className="row">
            <button
              type="button"
              className="pf-btn phone-go"
              aria-disabled={isAnswering}
              onClick={() => answer(call)}
            >
              <Icon name="phone" /> {isFree ? "Answer" : "End & answer"}
            </button>
            <button type="button" className="pf-btn pf-btn-danger" onClick={() => decline(call)}>
              <Icon name="hang-up" /> Decline
            </button>
            <span className="pf-muted">
              {!isFree && "Answering ends your call"}
              <span className="phone-shortcuts">
                {isFree ? "Alt+A answers, Alt+R declines" : "; Alt+R declines"}
              </span>
            </span>
          </div>
        </section>
      ))}
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}

/** A background tab shows the call in its title. */
function useTitle(call: RingingCall | undefined): void {
  const number = call?.fromNumber;
  useEffect(() => {
    if (number === undefined) return;
    const before = document.title;
    document.title = `${phoneText(number)} is calling`;
    return () => {
      document.title = before;
    };
  }, [number]);
}
