import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Kysely } from "kysely";
import { failureOf } from "../database/failures.ts";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import { judge, type Outcome, type Verdict } from "./attempt.ts";
import { disableEndpoint, noteLastError } from "./endpoint-store.ts";
import type { InHand } from "./line.ts";
import { type Result, recordResults } from "./queue-store.ts";

/** An endpoint was disabled, or a delivery to it died (reported at most once a day). */
export interface DeliveryFailure {
  readonly orgId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly reason: string;
  readonly isDisabled: boolean;
}

export interface Attempt {
  readonly inHand: InHand;
  readonly outcome: Outcome;
  readonly durationMs: number;
}

export interface ResultWriterDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "webhookDeliveriesTotal" | "webhookDelaySeconds">;
  readonly onDeliveryFailure: (failure: DeliveryFailure) => void;
  /** The results of these are written, or somebody else's were before. */
  readonly onRecorded: (attempts: readonly Attempt[]) => void;
}

/**
 * Results within this time are written together: planning and running a statement for a few costs as much as for a hundred.
 * So long, too, a delivery may be repeated by others if this process dies.
 */
const GATHER_MS = 40;
/** Per transaction, which holds the rows' locks until it is over. */
const MAX_TOGETHER = 256;

interface Judged {
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly result: Result;
}

/**
 * Records results of attempts, batching all that arrive while the previous batch is written: under load, one
 * transaction per result would cost more than sending.
 */
export class ResultWriter {
  readonly #deps: ResultWriterDeps;
  #waiting: Judged[] = [];
  #writing: Promise<void> | undefined;

  constructor(deps: ResultWriterDeps) {
    this.#deps = deps;
  }

  add(attempt: Attempt): void {
    this.#waiting.push(judged(attempt, this.#deps.clock.wallMs()));
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when all added results are written or given up. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < MAX_TOGETHER)
        await new Promise<void>((resolve) => this.#deps.clock.after(GATHER_MS, resolve));
      const batch = this.#waiting.splice(0, MAX_TOGETHER);
      try {
        await this.#write(batch).catch((error: unknown) => {
          if (failureOf(error) !== "again") throw error;
          return this.#write(batch);
        });
      } catch (error) {
        // Leases expire and the deliveries repeat: duplicates are routine
        // (docs/webhooks.md#duplicates-order-and-replays).
        this.#deps.log.warn(
          { event: "delivery_results_not_recorded", err: messageOf(error), results: batch.length },
          "failed to record the results of webhook deliveries",
        );
      }
    }
  }

  async #write(batch: readonly Judged[]): Promise<void> {
    const { metrics, onDeliveryFailure, onRecorded } = this.#deps;
    const failures = await this.#store(batch);
    onRecorded(batch.map(({ attempt }) => attempt));
    for (const [status, of] of Map.groupBy(batch, ({ verdict }) => verdict.status))
      metrics.webhookDeliveriesTotal.inc({ status }, of.length);
    for (const { verdict, attempt } of batch)
      if (verdict.status === "delivered") metrics.webhookDelaySeconds.observe(attempt.durationMs / 1_000);
    for (const failure of failures) onDeliveryFailure(failure);
  }

  async #store(batch: readonly Judged[]): Promise<DeliveryFailure[]> {
    const { db } = this.#deps.database;
    const results = batch.map(({ result }) => result);
    // Same order in every process, to avoid deadlocks on endpoints.
    const mayDisable = batch
      .filter(({ verdict }) => verdict.lastError !== undefined)
      .toSorted((a, b) => (endpointOf(a) < endpointOf(b) ? -1 : 1));
    if (mayDisable.length === 0) {
      await recordResults(db, results);
      return [];
    }
    return db.transaction().execute(async (trx) => {
      const ours = await recordResults(trx, results);
      const found: DeliveryFailure[] = [];
      for (const one of mayDisable) {
        const failure = ours.has(one.result.id) ? await noteFailure(trx, one) : undefined;
        if (failure) found.push(failure);
      }
      return found;
    });
  }
}

function endpointOf({ attempt }: Judged): string {
  return attempt.inHand.to.endpointId;
}

function judged(attempt: Attempt, nowMs: number): Judged {
  const { inHand, outcome, durationMs } = attempt;
  const { delivery } = inHand;
  const attempts = delivery.attempts + 1;
  const verdict = judge(outcome, attempts);
  const isAnswer = outcome.kind === "answered";
  const { status, retryAfterMs, error } = verdict;
  const result = {
    id: delivery.id,
    status,
    attempts,
    at: new Date(nowMs),
    nextAttemptAt: retryAfterMs === undefined ? null : new Date(nowMs + retryAfterMs),
    responseStatus: isAnswer ? outcome.status : null,
    responseBody: isAnswer ? outcome.body : null,
    error,
    durationMs,
  };
  return { attempt, verdict, result };
}

/** Stores the failure on its endpoint; returns only news. */
async function noteFailure(
  trx: Kysely<Tables>,
  { attempt, verdict, result }: Judged,
): Promise<DeliveryFailure | undefined> {
  const { disable, lastError, error } = verdict;
  if (lastError === undefined) return undefined;
  const { endpointId, orgId, url } = attempt.inHand.to;
  const isDisabled = disable !== undefined;
  const isNews = isDisabled
    ? await disableEndpoint(trx, endpointId, disable)
    : await noteLastError(trx, endpointId, { reason: lastError, at: result.at });
  return isNews ? { orgId, endpointId, url, reason: error ?? "", isDisabled } : undefined;
}
