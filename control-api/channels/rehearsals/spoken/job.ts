import type { Rehearsal, Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import { z } from "zod";
import { changesSince } from "../../../agents/rehearsals/changes.ts";
import {
  endReport,
  findRunning,
  noteHeld,
  type RunningReport,
} from "../../../agents/rehearsals/running-reports.ts";
import { earlierReports } from "../../../agents/rehearsals/store.ts";
import type { Tables } from "../../../database/tables.ts";
import { handles, type JobHandler, type JobKind, type WriteResult } from "../../../jobs/job-kind.ts";
import { holdSpoken, type SpokenDeps } from "./hold-spoken.ts";
import { placesNow } from "./places.ts";
import { untilUnwanted, unwantedBecause } from "./until-unwanted.ts";

/** For all conversations of one report. */
const TIME_LIMIT_MS = 30 * 60_000;
const TOO_LONG = `The rehearsals took longer than ${TIME_LIMIT_MS / 60_000} minutes together.`;
const BROKEN = "Something went wrong in Parley while the rehearsals were held; its log says what.";
const CUT_OFF = "Parley stopped each time while the rehearsals were held.";
/** Runs that broke off with their process, or failed: the rest is held by the next one. */
const MAX_RUNS = 3;
const TRY_AGAIN_MS = 3_000;
const MAX_TRIES = 20;

/** One job for each report of spoken rehearsals. */
export const HOLD_SPOKEN: JobKind<{ readonly reportId: string }> = {
  name: "hold_spoken_rehearsals",
  payload: z.object({ reportId: z.string() }),
};

/** Holds what a report asks for; its rehearsals are seen as they end. */
export function holdsSpoken(deps: SpokenDeps): JobHandler {
  return handles(
    HOLD_SPOKEN,
    async ({ payload: { reportId }, attempt, signal }) => {
      const running = await findRunning(deps.database, reportId);
      if (!running) return undefined;
      // It may have waited for another report of its organization, or for a process that died.
      const unwantedNow = await unwantedBecause(running, deps.database);
      if (unwantedNow !== undefined) return ends(running, { error: unwantedNow }, deps);
      const late = new AbortController();
      const cancel = deps.clock.after(TIME_LIMIT_MS, () => late.abort());
      const unwanted = untilUnwanted(running, deps);
      try {
        const over = AbortSignal.any([signal, late.signal, unwanted.signal]);
        const rehearsals = await holdAll(running, over, deps);
        if (signal.aborted) throw signal.reason;
        unwanted.signal.throwIfAborted();
        return ends(running, { rehearsals, error: late.signal.aborted ? TOO_LONG : null }, deps);
      } catch (error) {
        if (unwanted.signal.aborted && !signal.aborted)
          return ends(running, { error: String(unwanted.signal.reason) }, deps);
        if (signal.aborted || (!(error instanceof AppError) && attempt < MAX_RUNS)) throw error;
        if (!(error instanceof AppError))
          deps.log.error(
            { event: "rehearsals_failed", reportId, err: messageOf(error) },
            "spoken rehearsals failed",
          );
        return ends(running, { error: error instanceof AppError ? error.message : BROKEN }, deps);
      } finally {
        cancel();
        unwanted.stop();
      }
    },
    {
      ...{ attempts: MAX_RUNS, sideBySide: 2 },
      cutOff:
        ({ reportId }) =>
        (trx) =>
          cutOff(trx, reportId, deps),
    },
  );
}

/** What was held stays: only the end is missing. */
async function cutOff(trx: Kysely<Tables>, reportId: string, { clock }: SpokenDeps): Promise<void> {
  const running = await findRunning({ db: trx }, reportId);
  if (running) await ends(running, { error: CUT_OFF }, { clock })(trx);
}

/** Holds what no earlier run has, several at a time; returns all of them in the scenarios' order. */
async function holdAll(
  { report, agent, noise }: RunningReport,
  signal: AbortSignal,
  deps: SpokenDeps,
): Promise<Rehearsal[]> {
  const held = new Map(report.rehearsals.map((one) => [one.name, one]));
  const inOrder = (): Rehearsal[] => report.scenarios.flatMap(({ name }) => held.get(name) ?? []);
  const waiting = report.scenarios.filter(({ name }) => !held.has(name));
  const wanted = { stored: agent, userId: report.createdBy, noise, signal };
  const holdNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
      const one: Scenario = next;
      held.set(one.name, await oncePlaced(() => holdSpoken(one, wanted, deps), signal, deps));
      if (!signal.aborted) await noteHeld(deps.database.db, report.reportId, inOrder());
    }
  };
  const places = await placesNow(deps.bus.keys);
  const settled = await Promise.allSettled(Array.from({ length: places }, holdNext));
  for (const one of settled) if (one.status === "rejected") throw one.reason;
  return inOrder();
}

/** Waits for a gateway with room: callers go first. Throws what `hold` does, no_gateway after a while. */
async function oncePlaced(
  hold: () => Promise<Rehearsal>,
  signal: AbortSignal,
  { clock }: Pick<SpokenDeps, "clock">,
): Promise<Rehearsal> {
  for (let tries = 1; ; tries++) {
    try {
      return await hold();
    } catch (error) {
      const isFull = error instanceof AppError && error.code === "no_gateway";
      if (!isFull || tries === MAX_TRIES || signal.aborted) throw error;
      await new Promise<void>((resolve) => clock.after(TRY_AGAIN_MS, resolve));
    }
  }
}

interface End {
  /** Absent: what was noted stays. */
  readonly rehearsals?: readonly Rehearsal[];
  readonly error: string | null;
}

function ends(
  { report, agent, fingerprint }: RunningReport,
  { rehearsals, error }: End,
  { clock }: Pick<SpokenDeps, "clock">,
): WriteResult {
  const { reportId } = report;
  return async (trx) => {
    const of = { orgId: agent.org_id, agentId: agent.id, mode: "speech" } as const;
    const changes = rehearsals ? changesSince(rehearsals, await earlierReports(trx, of, fingerprint)) : [];
    if (rehearsals) await noteHeld(trx, reportId, rehearsals);
    const tookMs = Math.max(0, clock.wallMs() - Date.parse(report.createdAt));
    await endReport(trx, reportId, { error, changes, tookMs });
  };
}
