import type { Delivery, Webhook } from "@parley/shared/contracts/webhooks.ts";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { later } from "../../ui/later.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar, SelectFilter, TextFilter } from "../../ui/table/filters.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { CursorPager } from "../../ui/table/pager.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { STATUSES } from "./badges.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import { webhooksPath } from "./use-endpoints.ts";

const EventFilter = later(
  async () => (await import("./event-filter.tsx")).EventFilter,
  () => <SelectFilter label="Event" name="event" options={[]} />,
);
const DeliveryDialog = later(async () => (await import("./delivery-dialog.tsx")).DeliveryDialog);

/** Polling interval while deliveries are in flight. */
const WATCH_MS = 3_000;
const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 100;
const FILTERS = ["status", "event", "search"] as const;

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
  const open = useCallback(
    (id: string): void =>
      setParams((now) => {
        const after = new URLSearchParams(now);
        if (id === "") after.delete("delivery");
        else after.set("delivery", id);
        return after;
      }),
    [setParams],
  );
  const columns = useMemo(() => deliveryColumns(open), [open]);
  const opened = params.get("delivery");
  const query = queryOf(params, PAGE_SIZE);
  const path = `${webhooksPath(org.id)}/${webhook.id}/deliveries`;
  const read = (asked: URLSearchParams): Promise<DeliveryList> =>
    session.call<DeliveryList>(`${path}?${asked}`, { method: "GET", orgId: org.id });
  // A disabled endpoint's deliveries no longer move.
  const moves = ({ deliveries }: DeliveryList): boolean => webhook.enabled && deliveries.some(isInFlight);
  const loaded = useData(`${path}?${query}#${round}`, () => read(query), {
    everyMs: (list) => (moves(list) ? WATCH_MS : undefined),
    isList: true,
  });
  const { data, reload } = loaded;
  useWhenSettled(data !== undefined && moves(data), onChanged);
  const isFiltered = FILTERS.some((name) => params.has(name));
  return (
    <ListSection title="Deliveries">
      <DataTable
        name="deliveries"
        label="List of deliveries"
        columns={columns}
        rows={data?.deliveries}
        of={loaded}
        rowId={({ id }) => id}
        filters={
          <FilterBar>
            <TextFilter label="Call or delivery ID" name="search" maxLength={64} />
            <SelectFilter
              label="Status"
              name="status"
              options={Object.entries(STATUSES).map(([value, { name }]) => [value, name])}
            />
            <EventFilter />
          </FilterBar>
        }
        readAll={() => readDeliveries(read, params)}
        empty={
          <NoDeliveries
            onClear={isFiltered ? () => setParams(new URLSearchParams()) : undefined}
            onTest={onTest}
          />
        }
        pager={<CursorPager next={data?.nextBefore ?? null} />}
      />
      {opened && (
        <DeliveryDialog
          key={opened}
          webhook={webhook}
          id={opened}
          onClose={() => open("")}
          onReplayed={async (id) => {
            open(id);
            await Promise.all([reload(), onChanged()]);
          }}
        />
      )}
    </ListSection>
  );
}

/** The selection in the page's address, as the API takes it. */
function queryOf(params: URLSearchParams, limit: number): URLSearchParams {
  const query = new URLSearchParams({ limit: String(limit) });
  for (const name of [...FILTERS, "before"]) {
    const value = params.get(name);
    if (value) query.set(name, value);
  }
  return query;
}

/** All deliveries that pass the filters, newest first, regardless of the shown page. */
async function* readDeliveries(
  read: (query: URLSearchParams) => Promise<DeliveryList>,
  params: URLSearchParams,
): AsyncGenerator<readonly Delivery[]> {
  const query = queryOf(params, EXPORT_PAGE_SIZE);
  query.delete("before");
  for (;;) {
    const { deliveries, nextBefore } = await read(query);
    yield deliveries;
    if (nextBefore === null) return;
    query.set("before", nextBefore);
  }
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

interface NoDeliveriesProps {
  /** Absent when no filter is set. */
  readonly onClear: (() => void) | undefined;
  readonly onTest: DeliveriesPanelProps["onTest"];
}

function NoDeliveries({ onClear, onTest }: NoDeliveriesProps) {
  if (onClear)
    return (
      <>
        <p className="pf-muted">No deliveries match these filters.</p>
        <button type="button" className="pf-btn" onClick={onClear}>
          Clear filters
        </button>
      </>
    );
  return (
    <>
      <p>No deliveries yet. They appear here as soon as events happen.</p>
      {onTest && (
        <button type="button" className="pf-btn pf-btn-primary" onClick={onTest}>
          Send test event
        </button>
      )}
    </>
  );
}
