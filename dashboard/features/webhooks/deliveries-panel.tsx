import { EVENT_NAMES } from "@parley/shared/contracts/event-catalog/catalog.ts";
import type { Delivery, Webhook } from "@parley/shared/contracts/webhooks.ts";
import { useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import { useData } from "../../api/use-data.ts";
import { useRepeat } from "../../api/use-repeat.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Problem } from "../../ui/messages.tsx";
import { STATUSES } from "./badges.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { webhooksPath } from "./use-endpoints.tsx";

/** How often one looks while something is on its way. */
const WATCH_MS = 3_000;
const FEW = 50;
const MOST = 200;

interface DeliveriesPanelProps {
  readonly webhook: Webhook;
  /** Another number: something was sent. */
  readonly round: number;
  readonly onChanged: () => Promise<void>;
  /** Absent where no test can be sent. */
  readonly onTest: (() => void) | undefined;
}

/** The deliveries of an endpoint, newest first. What is shown stands in the page's address, to be passed on. */
export function DeliveriesPanel({ webhook, round, onChanged, onTest }: DeliveriesPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string): void => {
    setParams((before) => {
      const after = new URLSearchParams(before);
      if (value === "") after.delete(name);
      else after.set(name, value);
      return after;
    });
  };
  const [status, event, opened] = ["status", "event", "delivery"].map((name) => params.get(name) ?? "");
  const limit = params.has("more") ? MOST : FEW;
  const path = `${webhooksPath(org.id)}/${webhook.id}/deliveries`;
  const query = new URLSearchParams({
    limit: String(limit),
    ...(status ? { status } : {}),
    ...(event ? { event } : {}),
  });
  const { data, problem, reload } = useData(`${path}?${query}#${round}`, () =>
    session.call<{ deliveries: Delivery[] }>(`${path}?${query}`, { method: "GET", orgId: org.id }),
  );
  // Of a disabled endpoint nothing moves any more.
  const isMoving = webhook.enabled && (data?.deliveries.some(isUnderWay) ?? false);
  useRepeat(reload, isMoving ? WATCH_MS : undefined);
  useWhenSettled(isMoving, onChanged);
  const isFiltered = status !== "" || event !== "";
  return (
    <section className="pf-card panel" aria-labelledby="deliveries-title">
      <div className="row row-spread">
        <h2 id="deliveries-title">Deliveries</h2>
        <div className="row hook-filters">
          <Filter
            label="Status"
            value={status ?? ""}
            options={Object.entries(STATUSES).map(([value, { name }]) => [value, name])}
            onChoose={(value) => set("status", value)}
          />
          <Filter
            label="Event"
            value={event ?? ""}
            options={EVENT_NAMES.map((name) => [name, name])}
            onChoose={(value) => set("event", value)}
          />
        </div>
      </div>
      {problem && <Problem>{problem}</Problem>}
      {data && data.deliveries.length > 0 && (
        <DeliveryTable deliveries={data.deliveries} onOpen={(id) => set("delivery", id)} />
      )}
      {data?.deliveries.length === 0 && <NoDeliveries isFiltered={isFiltered} onTest={onTest} />}
      {data?.deliveries.length === FEW && limit === FEW && (
        <button type="button" className="pf-btn" onClick={() => set("more", "1")}>
          Show more
        </button>
      )}
      {opened && (
        <DeliveryDialog
          key={opened}
          webhook={webhook}
          id={opened}
          onClose={() => set("delivery", "")}
          onReplayed={async (id) => {
            set("delivery", id);
            await Promise.all([reload(), onChanged()]);
          }}
        />
      )}
    </section>
  );
}

function isUnderWay({ status }: Delivery): boolean {
  return status === "pending" || status === "failed";
}

/** Once when what moved came to rest. */
function useWhenSettled(isMoving: boolean, onSettled: () => Promise<void>): void {
  const wasMoving = useRef(isMoving);
  useEffect(() => {
    if (wasMoving.current && !isMoving) void onSettled();
    wasMoving.current = isMoving;
  });
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string) => void;
}

function Filter({ label, value, options, onChoose }: FilterProps) {
  return (
    <select
      className="pf-select"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">Any {label.toLowerCase()}</option>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}

function NoDeliveries({
  isFiltered,
  onTest,
}: {
  readonly isFiltered: boolean;
  readonly onTest: DeliveriesPanelProps["onTest"];
}) {
  if (isFiltered)
    return <p className="pf-muted">No delivery is like that. Choose another status or event.</p>;
  return (
    <div className="hook-none">
      <p>Nothing was delivered yet. Deliveries appear here as things happen in calls.</p>
      {onTest && (
        <button type="button" className="pf-btn pf-btn-primary" onClick={onTest}>
          Send a first test event …
        </button>
      )}
    </div>
  );
}
