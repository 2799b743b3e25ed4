import { Link } from "@tanstack/react-router";
import { Icon } from "../../ui/icon.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { CallTimer } from "./call-timer.tsx";
import { useSoftphone } from "./softphone-context.ts";
import { stateWords } from "./softphone-labels.ts";
import { isBusy } from "./softphone-view.ts";

/** The call under way, above a page other than the softphone's. */
export function CallStrip() {
  const { view, actions } = useSoftphone();
  if (!isBusy(view)) return null;
  const { line, answeredAtMs, isMuted } = view;
  return (
    <section className="pf-card call-strip" aria-label="Your call">
      <p>
        <Icon name="phone" /> {line && <strong>{phoneText(line.number)}</strong>} {stateWords(view)}{" "}
        {answeredAtMs !== undefined && <CallTimer sinceMs={answeredAtMs} />}
      </p>
      <div className="row">
        <button
          type="button"
          className="pf-btn"
          aria-pressed={isMuted}
          onClick={() => actions.mute(!isMuted)}
        >
          <Icon name={isMuted ? "microphone-off" : "microphone"} /> Mute
        </button>
        <Link to="/softphone" className="pf-btn">
          Back to the call
        </Link>
      </div>
    </section>
  );
}
