import type { Clock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Database } from "../../database/open.ts";

/** A call of an app's frame. */
export interface AppCall {
  readonly orgId: string;
  readonly appId: string;
}

interface Batch {
  readonly calls: AppCall[];
  /** Resolves once the calls are committed. */
  readonly written: Promise<void>;
}

/**
 * Counts what frames of apps ask of the server, durably before it is carried out. Calls that come while others are
 * written are written together after them, in one statement (docs/decisions/billing.md#app-calls-before-they-run).
 * `bookAppCalls` makes usage of them.
 */
export class AppCallMeter {
  readonly #deps: { readonly database: Database; readonly clock: Clock };
  #gathering: Batch | undefined;
  /** Resolves when no batch is being written; never rejects. */
  #idle: Promise<unknown> = Promise.resolve();

  constructor(deps: { readonly database: Database; readonly clock: Clock }) {
    this.#deps = deps;
  }

  /** Resolves once the call is counted; rejects if it could not be, and is to be refused then. */
  count(call: AppCall): Promise<void> {
    const batch = this.#gathering ?? this.#gather();
    batch.calls.push(call);
    return batch.written;
  }

  #gather(): Batch {
    const calls: AppCall[] = [];
    const written = this.#idle.then(() => {
      this.#gathering = undefined;
      return this.#write(calls);
    });
    this.#idle = written.catch(() => undefined);
    this.#gathering = { calls, written };
    return this.#gathering;
  }

  async #write(calls: readonly AppCall[]): Promise<void> {
    const { database, clock } = this.#deps;
    const at = new Date(clock.wallMs());
    const rows = [...Map.groupBy(calls, ({ orgId, appId }) => `${orgId} ${appId}`).values()].flatMap((same) =>
      same.slice(0, 1).map(({ orgId, appId }) => ({
        id: newId("app"),
        org_id: orgId,
        app_id: appId,
        calls: BigInt(same.length),
        at,
      })),
    );
    await database.db.insertInto("counted_app_calls").values(rows).execute();
  }
}
