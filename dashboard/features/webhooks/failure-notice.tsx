import { needsAttention } from "@parley/shared/contracts/endpoint-state.ts";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { countText } from "./health-labels.ts";
import type { WatchedEndpoint } from "./use-endpoints.ts";

const SINCE = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", minute: "2-digit" });

interface FailureNoticeProps {
  readonly endpoint: WatchedEndpoint;
  /** The endpoint's name within the sentence. */
  readonly name: ReactNode;
  /** Helpful buttons and links. */
  readonly children?: ReactNode;
}

/** Warns prominently about a disabled or failing endpoint, with the remedy; renders nothing for a healthy one. */
export function FailureNotice({ endpoint: { webhook, state }, name, children }: FailureNoticeProps) {
  if (!needsAttention(state)) return null;
  const isDisabled = state.kind === "disabled";
  return (
    <section
      className={`hook-failure ${isDisabled ? "tone-bad" : "tone-warn"}`}
      aria-label={isDisabled ? "Disabled endpoint" : "Failing endpoint"}
    >
      <Icon name={isDisabled ? "stop" : "alert"} />
      <div>
        {isDisabled ? (
          <>
            <p>
              <strong>{name} is disabled:</strong> {state.reason}.
            </p>
            <p>
              Fix your server, then re-create the endpoint and delete this one. The new endpoint gets events
              from then on. Deliveries this one missed stay here until you delete it.
            </p>
          </>
        ) : (
          <>
            <p>
              <strong>{name} is failing:</strong> {countText(state.missed)} of {countText(state.tried)}{" "}
              {state.tried === 1 ? "delivery" : "deliveries"} since {SINCE.format(state.sinceMs)} failed
              {webhook.last_error === null ? "." : `. Last error: ${webhook.last_error}.`}
            </p>
            <p>Fix your server. Each delivery is tried 8 times over 21 minutes. Then replay what failed.</p>
          </>
        )}
        {children && <div className="row">{children}</div>}
      </div>
    </section>
  );
}
