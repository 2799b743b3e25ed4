import type { CallAnalytics, CallFigures } from "@parley/shared/contracts/analytics.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { readAgentNames } from "./overview-store.ts";
import {
  type Counted,
  type Period,
  readAgents,
  readAgentTurns,
  readChannels,
  readOpenCounts,
  readOpenTurns,
  readRolled,
  type Turns,
} from "./period-store.ts";
import { percentileMs } from "./response-times.ts";
import { findSources } from "./sources.ts";
import { DAY_MS } from "./sums.ts";

const MOST_AGENTS = 50;

/** Figures of a period's calls: in total, by step, by agent and by channel. */
export async function readCallAnalytics(
  db: Kysely<Tables>,
  orgId: string,
  period: Period,
): Promise<CallAnalytics> {
  const { from, to, stepSecs } = period;
  const { rolled, days, edges, open } = await findSources(db, orgId, period);
  const [steps, agents, channels] = [new Sums<number>(), new Sums<string>(), new Sums<string>()];
  const stepOf = (at: Date): number => Math.floor((at.getTime() - from.getTime()) / (stepSecs * 1_000));
  for (const row of await readOpenCounts(db, orgId, { period, ranges: open })) {
    steps.count(stepOf(row.at), row);
    agents.count(row.agentId, row);
    channels.count(row.channel, row);
  }
  for (const row of await readOpenTurns(db, orgId, { period, ranges: open })) {
    steps.time(stepOf(row.at), row);
    agents.time(row.agentId, row);
    // Rows from before channels were counted have none.
    if (row.channel !== "") channels.time(row.channel, row);
  }
  const ofRolled = { filter: period, rolled: { days, edges } };
  if (rolled.length > 0) {
    const ofSteps = hasWholeDays(period) ? ofRolled.rolled : { days: [], edges: rolled };
    for (const row of await readRolled(db, orgId, { filter: period, rolled: ofSteps })) {
      steps.count(stepOf(row.at), row);
      steps.time(stepOf(row.at), row);
    }
    for (const row of await readAgents(db, orgId, ofRolled)) agents.count(row.agentId, row);
    const agentIds = mostCalled(agents);
    const { channel } = period;
    for (const row of await readAgentTurns(db, orgId, { agentIds, channel, rolled: ofRolled.rolled }))
      agents.time(row.agentId, row);
    for (const row of await readChannels(db, orgId, ofRolled)) {
      channels.count(row.channel, row);
      channels.time(row.channel, row);
    }
  }
  const count = Math.ceil((to.getTime() - from.getTime()) / (stepSecs * 1_000));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    totals: steps.all(),
    points: Array.from({ length: count }, (_, step) => ({
      at: new Date(from.getTime() + step * stepSecs * 1_000).toISOString(),
      ...steps.of(step),
    })),
    agents: await named(db, orgId, agents),
    channels: channels
      .keys()
      .map((channel) => ({ channel, ...channels.of(channel) }))
      .toSorted((a, b) => b.calls - a.calls || (a.channel < b.channel ? -1 : 1)),
  };
}

/** Whether no rolled-up day, which is one of UTC, belongs to two steps. */
function hasWholeDays({ from, stepSecs }: Period): boolean {
  return from.getTime() % DAY_MS === 0 && (stepSecs * 1_000) % DAY_MS === 0;
}

async function named(
  db: Kysely<Tables>,
  orgId: string,
  agents: Sums<string>,
): Promise<CallAnalytics["agents"]> {
  const ids = mostCalled(agents);
  const names = await readAgentNames(db, orgId, ids);
  return ids.map((agentId) => ({ agentId, ...agents.of(agentId), name: names.get(agentId) ?? null }));
}

function mostCalled(agents: Sums<string>): string[] {
  return agents
    .keys()
    .map((agentId) => ({ agentId, calls: agents.calls(agentId) }))
    .toSorted((a, b) => b.calls - a.calls || (a.agentId < b.agentId ? -1 : 1))
    .slice(0, MOST_AGENTS)
    .map(({ agentId }) => agentId);
}

type Histogram = Map<number, number>;

/** Sums calls, and response times by bucket, per key, for one answer. */
class Sums<K> {
  readonly counted = new Map<K, Counted>();
  readonly turns = new Map<K, Histogram>();

  count(key: K, { calls, answered, failed, talkSecs }: Counted): void {
    // Unfinished calls only have response times.
    if (calls === 0) return;
    const before = this.counted.get(key) ?? NOTHING;
    this.counted.set(key, {
      calls: before.calls + calls,
      answered: before.answered + answered,
      failed: before.failed + failed,
      talkSecs: before.talkSecs + talkSecs,
    });
  }

  time(key: K, { buckets, turns }: Turns): void {
    if (buckets === "") return;
    const histogram = this.turns.get(key) ?? new Map<number, number>();
    this.turns.set(key, histogram);
    const times = turns.split(",");
    for (const [index, bucket] of buckets.split(",").entries())
      add(histogram, Number(bucket), Number(times[index]));
  }

  /** Keys with calls. */
  keys(): K[] {
    return [...this.counted.keys()];
  }

  calls(key: K): number {
    return this.counted.get(key)?.calls ?? 0;
  }

  of(key: K): CallFigures {
    return figures(this.counted.get(key) ?? NOTHING, this.turns.get(key) ?? new Map());
  }

  all(): CallFigures {
    const all = new Sums<null>();
    for (const counted of this.counted.values()) all.count(null, counted);
    const histogram: Histogram = new Map();
    for (const turns of this.turns.values())
      for (const [bucket, times] of turns) add(histogram, bucket, times);
    return figures(all.counted.get(null) ?? NOTHING, histogram);
  }
}

const NOTHING: Counted = { calls: 0, answered: 0, failed: 0, talkSecs: 0 };

function add(histogram: Histogram, bucket: number, turns: number): void {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + turns);
}

function figures(counted: Counted, turns: Histogram): CallFigures {
  return {
    ...counted,
    responseP50Ms: percentileMs(turns, 0.5),
    responseP95Ms: percentileMs(turns, 0.95),
  };
}
