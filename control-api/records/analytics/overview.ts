import type { Overview, OverviewTotals } from "@parley/shared/contracts/analytics.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import {
  type CountRow,
  type HourRow,
  type OpenRow,
  type ResponseRow,
  readAgentNames,
  readCounts,
  readHours,
  readOpen,
  readResponses,
  readSetup,
  type Span,
} from "./overview-store.ts";
import { percentileMs } from "./response-times.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_AGENTS = 50;

/** The figures of an organization's first page, for a day that began at `since`. */
export async function readOverview(
  db: Kysely<Tables>,
  orgId: string,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<Overview> {
  const today: Span = { from: since, to: now };
  const dayBefore: Span = { from: earlier(since), to: earlier(now) };
  const counts = await readCounts(db, orgId, today);
  const responses = await readResponses(db, orgId, today);
  const open = await readOpen(db, orgId);
  const hours = await readHours(db, orgId, { from: dayBefore.from, to: now });
  const before = {
    counts: await readCounts(db, orgId, dayBefore),
    responses: await readResponses(db, orgId, dayBefore),
    open: open.filter((call) => isIn(call, dayBefore)),
  };
  const own = { counts, responses, open: open.filter((call) => isIn(call, today)) };
  return {
    since: since.toISOString(),
    until: now.toISOString(),
    live: open.filter(({ isChat }) => !isChat).length,
    today: totals(own),
    dayBefore: totals(before),
    hours: hoursOf({ from: dayBefore.from, to: now }, hours, open),
    agents: await agentsOf(db, orgId, { own, open }),
    setup: await readSetup(db, orgId),
  };
}

interface Figures {
  readonly counts: readonly CountRow[];
  readonly responses: readonly ResponseRow[];
  /** Made within the span. */
  readonly open: readonly OpenRow[];
}

function totals({ counts, responses, open }: Figures): OverviewTotals {
  const calls = counts.filter(({ isChat }) => !isChat);
  const ended = sum(calls, (row) => row.ended);
  const byBucket = new Map<number, number>();
  for (const { bucket, turns } of responses) byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + turns);
  return {
    calls: ended + open.filter(({ isChat }) => !isChat).length,
    ended,
    answered: sum(calls, (row) => row.answered),
    failed: sum(calls, (row) => row.failed),
    talkSecs: sum(calls, (row) => row.talkSecs),
    responseP50Ms: percentileMs(byBucket, 0.5),
    responseP95Ms: percentileMs(byBucket, 0.95),
    chats:
      sum(
        counts.filter(({ isChat }) => isChat),
        (row) => row.ended,
      ) + open.filter(({ isChat }) => isChat).length,
  };
}

async function agentsOf(
  db: Kysely<Tables>,
  orgId: string,
  { own, open }: { readonly own: Figures; readonly open: readonly OpenRow[] },
): Promise<Overview["agents"]> {
  const ids = new Set([...own.counts, ...open].map(({ agentId }) => agentId));
  // Calls without an agent are a member's own softphone calls.
  ids.delete("");
  const of = <R extends { readonly agentId: string }>(rows: readonly R[], id: string): R[] =>
    rows.filter(({ agentId }) => agentId === id);
  const agents = [...ids]
    .map((agentId) => ({
      agentId,
      live: of(open, agentId).filter(({ isChat }) => !isChat).length,
      ...totals({
        counts: of(own.counts, agentId),
        responses: of(own.responses, agentId),
        open: of(own.open, agentId),
      }),
    }))
    .toSorted((a, b) => b.calls - a.calls || b.chats - a.chats || (a.agentId < b.agentId ? -1 : 1))
    .slice(0, MOST_AGENTS);
  const names = await readAgentNames(
    db,
    orgId,
    agents.map(({ agentId }) => agentId),
  );
  return agents.map((agent) => ({ ...agent, name: names.get(agent.agentId) ?? null }));
}

function hoursOf({ from, to }: Span, rows: readonly HourRow[], open: readonly OpenRow[]): Overview["hours"] {
  const known = new Map(rows.map((row) => [row.hour, row]));
  const count = Math.ceil((to.getTime() - from.getTime()) / HOUR_MS);
  return Array.from({ length: count }, (_, hour) => {
    const at = new Date(from.getTime() + hour * HOUR_MS);
    const span = { from: at, to: new Date(at.getTime() + HOUR_MS) };
    const going = open.filter((call) => !call.isChat && isIn(call, span)).length;
    const { ended = 0, failed = 0 } = known.get(hour) ?? {};
    return { at: at.toISOString(), calls: ended + going, failed };
  });
}

function isIn({ createdAt }: OpenRow, { from, to }: Span): boolean {
  return createdAt >= from && createdAt < to;
}

function earlier(at: Date): Date {
  return new Date(at.getTime() - DAY_MS);
}

function sum<R>(rows: readonly R[], of: (row: R) => number): number {
  return rows.reduce((all, row) => all + of(row), 0);
}
