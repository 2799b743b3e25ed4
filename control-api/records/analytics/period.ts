import type { CallAnalytics, CallFigures } from "@parley/shared/contracts/analytics.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { readAgentNames } from "./overview-store.ts";
import {
  type Period,
  type PeriodResponses,
  type PeriodRow,
  readPeriod,
  readPeriodResponses,
} from "./period-store.ts";
import { percentileMs } from "./response-times.ts";

const MOST_AGENTS = 50;

/** Calls of a period in figures: in all, step by step, by agent and by channel. */
export async function readCallAnalytics(
  db: Kysely<Tables>,
  orgId: string,
  period: Period,
): Promise<CallAnalytics> {
  const { from, to, stepSecs } = period;
  const rows = await readPeriod(db, orgId, period);
  const turns = await readPeriodResponses(db, orgId, period);
  const steps = Math.ceil((to.getTime() - from.getTime()) / (stepSecs * 1_000));
  const bySteps = rows.filter(({ step }) => step !== null);
  const turnsOfSteps = turns.filter(({ step }) => step !== null);
  const rowsByStep = Map.groupBy(bySteps, ({ step }) => step);
  const turnsByStep = Map.groupBy(turnsOfSteps, ({ step }) => step);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    totals: figures(bySteps, turnsOfSteps),
    points: Array.from({ length: steps }, (_, step) => ({
      at: new Date(from.getTime() + step * stepSecs * 1_000).toISOString(),
      ...figures(rowsByStep.get(step) ?? [], turnsByStep.get(step) ?? []),
    })),
    agents: await agentsOf(db, orgId, { rows, turns }),
    channels: rows
      .flatMap((row) => {
        if (row.channel === null) return [];
        const own = turns.filter(({ channel }) => channel === row.channel);
        return [{ channel: row.channel, ...figures([row], own) }];
      })
      .toSorted((a, b) => b.calls - a.calls || (a.channel < b.channel ? -1 : 1)),
  };
}

interface Counted {
  readonly rows: readonly PeriodRow[];
  readonly turns: readonly PeriodResponses[];
}

async function agentsOf(
  db: Kysely<Tables>,
  orgId: string,
  { rows, turns }: Counted,
): Promise<CallAnalytics["agents"]> {
  const agents = rows
    .flatMap((row) => {
      if (row.agentId === null) return [];
      const own = turns.filter(({ agentId }) => agentId === row.agentId);
      return [{ agentId: row.agentId, ...figures([row], own) }];
    })
    .toSorted((a, b) => b.calls - a.calls || (a.agentId < b.agentId ? -1 : 1))
    .slice(0, MOST_AGENTS);
  const names = await readAgentNames(
    db,
    orgId,
    agents.map(({ agentId }) => agentId),
  );
  return agents.map((agent) => ({ ...agent, name: names.get(agent.agentId) ?? null }));
}

function figures(rows: readonly PeriodRow[], turns: readonly PeriodResponses[]): CallFigures {
  const byBucket = new Map<number, number>();
  for (const { bucket, turns: count } of turns) byBucket.set(bucket, (byBucket.get(bucket) ?? 0) + count);
  const sum = (of: (row: PeriodRow) => number): number => rows.reduce((all, row) => all + of(row), 0);
  return {
    calls: sum(({ calls }) => calls),
    answered: sum(({ answered }) => answered),
    failed: sum(({ failed }) => failed),
    talkSecs: sum(({ talkSecs }) => talkSecs),
    responseP50Ms: percentileMs(byBucket, 0.5),
    responseP95Ms: percentileMs(byBucket, 0.95),
  };
}
