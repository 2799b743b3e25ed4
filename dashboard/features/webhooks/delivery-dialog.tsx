import { isAtLeast } from "@parley/shared/contracts/roles.ts";
import type { DeliveryDetail, Webhook } from "@parley/shared/contracts/webhooks.ts";
import { Link } from "@tanstack/react-router";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { StatusBadge } from "./badges.tsx";
import { msText } from "./health-labels.ts";
import { webhooksPath } from "./use-endpoints.ts";

const WATCH_MS = 2_000;

interface DeliveryDialogProps {
  readonly webhook: Webhook;
  readonly id: string;
  readonly onClose: () => void;
  /** Receives the id of the new delivery. */
  readonly onReplayed: (id: string) => Promise<void>;
}

/** One delivery: the request, and the receiver's answer to the latest attempt. */
export function DeliveryDialog({ webhook, id, onClose, onReplayed }: DeliveryDialogProps) {
  const session = useSession();
  const { org } = useHere();
  const isInFlight = ({ status }: DeliveryDetail): boolean =>
    webhook.enabled && (status === "pending" || status === "failed");
  const path = `${webhooksPath(org.id)}/${webhook.id}/deliveries/${id}`;
  const loaded = useData(path, () => session.call<DeliveryDetail>(path, { method: "GET", orgId: org.id }), {
    everyMs: (delivery) => (isInFlight(delivery) ? WATCH_MS : undefined),
  });
  const { data } = loaded;
  const isMoving = data !== undefined && isInFlight(data);
  const replay = useSubmit(async () => {
    const { deliveryIds } = await session.call<{ deliveryIds: string[] }>(`${path}/replay`, {
      orgId: org.id,
    });
    await onReplayed(deliveryIds[0] ?? id);
  });
  const mayReplay = isAtLeast(org.role, "developer") && webhook.enabled;
  return (
    <Dialog title={data?.event ?? "Delivery"} size="wide" onClose={onClose}>
      {replay.problem && <Problem>{replay.problem}</Problem>}
      <Loaded of={loaded}>{() => null}</Loaded>
      {data && (
        <>
          <Facts delivery={data} />
          {mayReplay && (
            <div className="row">
              <button
                type="button"
                className="pf-btn pf-btn-primary"
                disabled={replay.isBusy}
                onClick={() => void replay.run()}
              >
                {isMoving ? "Retry now" : "Deliver again"}
              </button>
              <span className="pf-muted hook-aside">
                {isMoving ? "Makes the next attempt now." : "Sends the same body with a new ID."}
              </span>
            </div>
          )}
          <div className="hook-exchange">
            <Request {...data.request} />
            <Response delivery={data} />
          </div>
        </>
      )}
    </Dialog>
  );
}

function Facts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { id, status, attempts, createdAt, lastAttemptAt, nextAttemptAt, sessionId, replayOf } = delivery;
  return (
    <dl className="hook-facts">
      <div>
        <dt>Status</dt>
        <dd>
          <StatusBadge status={status} />
        </dd>
      </div>
      <div>
        <dt>Attempts</dt>
        <dd>{attempts} of 8</dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <ExactTime at={createdAt} />
        </dd>
      </div>
      {lastAttemptAt && (
        <div>
          <dt>Last attempt</dt>
          <dd>
            <ExactTime at={lastAttemptAt} />
          </dd>
        </div>
      )}
      {nextAttemptAt && (
        <div>
          <dt>Next attempt</dt>
          <dd>
            <ExactTime at={nextAttemptAt} />
          </dd>
        </div>
      )}
      <div>
        <dt>ID</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </div>
      {replayOf && (
        <div>
          <dt>Replay of</dt>
          <dd>
            <code>{replayOf}</code>
          </dd>
        </div>
      )}
      {sessionId && (
        <div>
          <dt>Call</dt>
          <dd>
            <Link to="/calls/$id" params={{ id: sessionId }}>
              {sessionId}
            </Link>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Request({ url, headers, body }: DeliveryDetail["request"]) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section className="stack" aria-labelledby="request-title">
      <h3 id="request-title">Request</h3>
      <p className="hook-line-of-request">
        <strong>POST</strong> <code>{url}</code>
      </p>
      <CodeBlock label="Headers" text={lines.join("\n")} />
      <p className="pf-muted hook-aside">Signatures are not shown. They are made for each attempt.</p>
      <CodeBlock label="Body" text={pretty(body)} />
    </section>
  );
}

function Response({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { attempts, responseStatus, responseBody, error, durationMs } = delivery;
  return (
    <section className="stack" aria-labelledby="response-title">
      <h3 id="response-title">Response</h3>
      {attempts === 0 ? (
        <p className="pf-muted">No attempt yet.</p>
      ) : (
        <p className="hook-line-of-request">
          <strong>{responseStatus === null ? "No response" : `Status ${responseStatus}`}</strong> after{" "}
          {msText(durationMs)}
        </p>
      )}
      {error && responseStatus === null && <p className="message message-problem">{error}</p>}
      {responseBody ? (
        <CodeBlock label="Response body" text={pretty(responseBody)} />
      ) : (
        attempts > 0 && responseStatus !== null && <p className="pf-muted">The response has no body.</p>
      )}
    </section>
  );
}

/** Pretty-prints JSON; anything else stays as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
