import type { Delivery, Webhook } from "@parley/shared/contracts/webhooks.ts";
import { Suspense, useEffect, useRef } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { later } from "../../ui/later.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { textOf } from "../../ui/use-submit.ts";
import { STATUSES } from "./badges.tsx";
import { ChoiceFilter } from "./choice-filter.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { webhooksPath } from "./use-endpoints.ts";

const EventFilter = later(async () => (await import("./event-filter.tsx")).EventFilter);
const DeliveryDialog = later(async () => (await import("./delivery-dialog.tsx")).DeliveryDialog);

/** Polling interval while deliveries are in flight. */
const WATCH_MS = 3_000;
const PAGE_SIZE = 50;

interface DeliveriesPanelProps {
  readonly webhook: Webhook;
  /** Incremented after something was sent. */
  readonly round: number;
  readonly onChanged: () => Promise<void>;
  /** Absent where no test can be sent. */
  readonly onTest: (() => void) | undefined;
}

interface DeliveryList {
  readonly deliveries: readonly Delivery[];
  readonly nextBefore: string | null;
}

/** An endpoint's deliveries, newest first. The page's address holds the selection, so that it can be shared. */
export function DeliveriesPanel({ webhook, round, onChanged, onTest }: DeliveriesPanelProps) {
  const session = useSession();
  const { org } = useHere();
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string): void => {
    setParams((before) => {
      const after = new URLSearchParams(before);
      // Other filters start at the first page.
      if (name !== "delivery") after.delete("before");
      if (value === "") after.delete(name);
      else after.set(name, value);
      return after;
    });
  };
  const value = (name: string): string => params.get(name) ?? "";
  const [status, event, search, before] = ["status", "event", "search", "before"].map(value);
  const opened = value("delivery");
  const path = `${webhooksPath(org.id)}/${webhook.id}/deliveries`;
  const filters = Object.entries({ status, event, search, before }).filter(([, text]) => text);
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...Object.fromEntries(filters) });
  // A disabled endpoint's deliveries no longer move.
  const moves = ({ deliveries }: DeliveryList): boolean => webhook.enabled && deliveries.some(isInFlight);
  const loaded = useData(
    `${path}?${query}#${round}`,
    () => session.call<DeliveryList>(`${path}?${query}`, { method: "GET", orgId: org.id }),
    { everyMs: (list) => (moves(list) ? WATCH_MS : undefined), isList: true },
  );
  const { data, reload } = loaded;
  const isMoving = data !== undefined && moves(data);
  useWhenSettled(isMoving, onChanged);
  const isFiltered = filters.length > 0;
  return (
    <section className="pf-card panel" aria-labelledby="deliveries-title">
      <div className="row row-spread">
        <h2 id="deliveries-title">Deliveries</h2>
        <div className="row hook-filters">
          <SearchField key={search} text={search ?? ""} onSearch={(text) => set("search", text)} />
          <ChoiceFilter
            label="Status"
            value={status ?? ""}
            options={Object.entries(STATUSES).map(([value, { name }]) => [value, name])}
            onChoose={(chosen) => set("status", chosen)}
          />
          <Suspense
            fallback={<ChoiceFilter label="Event" value="" options={[]} onChoose={() => undefined} />}
          >
            <EventFilter value={event ?? ""} onChoose={(chosen) => set("event", chosen)} />
          </Suspense>
        </div>
      </div>
      <Loaded of={loaded}>{() => null}</Loaded>
      {data && data.deliveries.length > 0 && (
        <DeliveryTable deliveries={data.deliveries} onOpen={(id) => set("delivery", id)} />
      )}
      {data?.deliveries.length === 0 && (
        <NoDeliveries
          onClear={isFiltered ? () => setParams(new URLSearchParams()) : undefined}
          onTest={onTest}
        />
      )}
      {(before || data?.nextBefore) && (
        <div className="row">
          {before && (
            <button type="button" className="pf-btn" onClick={() => set("before", "")}>
              Newest
            </button>
          )}
          {data?.nextBefore && (
            <button type="button" className="pf-btn" onClick={() => set("before", data.nextBefore ?? "")}>
              Older
            </button>
          )}
        </div>
      )}
      {opened && (
        <Suspense>
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
        </Suspense>
      )}
    </section>
  );
}

function isInFlight({ status }: Delivery): boolean {
  return status === "pending" || status === "failed";
}

/** Runs once when in-flight deliveries have settled. */
function useWhenSettled(isMoving: boolean, onSettled: () => Promise<void>): void {
  const wasMoving = useRef(isMoving);
  useEffect(() => {
    if (wasMoving.current && !isMoving) void onSettled();
    wasMoving.current = isMoving;
  });
}

function SearchField({
  text,
  onSearch,
}: {
  readonly text: string;
  readonly onSearch: (text: string) => void;
}) {
  return (
    <form
      className="hook-search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(textOf(new FormData(event.currentTarget), "search"));
      }}
    >
      <input
        className="pf-input"
        type="search"
        name="search"
        maxLength={64}
        defaultValue={text}
        aria-label="Call or delivery ID"
        placeholder="Call or delivery ID"
      />
    </form>
  );
}

interface NoDeliveriesProps {
  /** Absent when no filter is set. */
  readonly onClear: (() => void) | undefined;
  readonly onTest: DeliveriesPanelProps["onTest"];
}

function NoDeliveries({ onClear, onTest }: NoDeliveriesProps) {
  if (onClear)
    return (
      <div className="hook-none">
        <p className="pf-muted">No deliveries match these filters.</p>
        <button type="button" className="pf-btn" onClick={onClear}>
          Clear filters
        </button>
      </div>
    );
  return (
    <div className="hook-none">
      <p>No deliveries yet. They appear here as soon as events happen.</p>
      {onTest && (
        <button type="button" className="pf-btn pf-btn-primary" onClick={onTest}>
          Send test event…
        </button>
      )}
    </div>
  );
}
