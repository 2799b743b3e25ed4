import type { Clock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Database } from "../../database/open.ts";
import type { Round } from "../../modules/module.ts";
import { chargeMeasured } from "./charge-measured.ts";

const WRITE_EVERY_MS = 1_000;

export interface AppCallMeterDeps {
  readonly isOn: boolean;
  readonly database: Database;
  readonly clock: Clock;
}

interface Batch {
  /** Identifies the batch, so that one whose commit went unheard is not counted twice. */
  readonly id: string;
  readonly at: Date;
  /** Calls of each app. */
  readonly calls: ReadonlyMap<string, number>;
}

/**
 * Counts what frames of apps ask of the server: one row of usage for each app and second, because a row for each call
 * would cost more than most calls do (docs/decisions/billing.md#app-calls-by-the-second).
 */
export class AppCallMeter {
  readonly #deps: AppCallMeterDeps;
  /** By organization, then by app. */
  #counted = new Map<string, Map<string, number>>();
  readonly #unwritten = new Map<string, Batch>();

  constructor(deps: AppCallMeterDeps) {
    this.#deps = deps;
  }

  /** Writes what was counted; every process does, for itself. */
  get round(): Round {
    return { name: "write app calls", everyMs: WRITE_EVERY_MS, run: () => this.write() };
  }

  count({ orgId, appId }: { readonly orgId: string; readonly appId: string }): void {
    const calls = this.#counted.get(orgId) ?? new Map<string, number>();
    calls.set(appId, (calls.get(appId) ?? 0) + 1);
    this.#counted.set(orgId, calls);
  }

  /** Writes the rows of each organization by itself. What fails is written again next time, under the same id. */
  async write(): Promise<void> {
    const at = new Date(this.#deps.clock.wallMs());
    const failures: unknown[] = [];
    for (const orgId of new Set([...this.#unwritten.keys(), ...this.#counted.keys()])) {
      const batch = this.#unwritten.get(orgId) ?? this.#take(orgId, at);
      if (!batch) continue;
      try {
        await this.#writeBatch(orgId, batch);
        this.#unwritten.delete(orgId);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Writes everything that is left. */
  async stop(): Promise<void> {
    await this.write();
    if (this.#counted.size > 0) await this.write();
  }

  #take(orgId: string, at: Date): Batch | undefined {
    const calls = this.#counted.get(orgId);
    if (!calls) return undefined;
    this.#counted.delete(orgId);
    const batch = { id: newId("app"), at, calls };
    this.#unwritten.set(orgId, batch);
    return batch;
  }

  async #writeBatch(orgId: string, { id, at, calls }: Batch): Promise<void> {
    const { isOn, database, clock } = this.#deps;
    const lines = [...calls].map(([appId, count]) => ({
      source: `calls ${id} ${appId}`,
      metric: "app_calls" as const,
      vendor: appId,
      quantity: BigInt(count),
    }));
    const by = { orgId, sessionId: null, agentId: null, keyId: "", channel: "app", at };
    const now = new Date(clock.wallMs());
    await database.db.transaction().execute((trx) => chargeMeasured(trx, lines, by, { isOn, now }));
  }
}
