import { Problem } from "../../ui/messages.tsx";
import type { Consent } from "./use-consent.ts";

interface ConsentPanelProps {
  readonly consent: Consent;
  /** The vendor to sign in to. */
  readonly name: string;
  /** The button's text. */
  readonly does: string;
}

/** A button that opens the sign-in window, with its progress. */
export function ConsentPanel({ consent, name, does }: ConsentPanelProps) {
  const { state, address, problem, start, stop } = consent;
  return (
    <>
      {state === "waiting" ? (
        <div className="row">
          <p role="status">
            {address === undefined ? (
              `Waiting for you to sign in to ${name} in the other window…`
            ) : (
              <>
                Your browser blocked the window.{" "}
                <a href={address} target="_blank" rel="noreferrer">
                  Sign in to {name}
                  <span className="only-heard"> (opens a new tab)</span>
                </a>
              </>
            )}
          </p>
          <button type="button" className="pf-btn" onClick={stop}>
            Cancel
          </button>
        </div>
      ) : (
        <div className="row">
          <button type="button" className="pf-btn pf-btn-primary" onClick={() => void start()}>
            {does}
          </button>
        </div>
      )}
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}
