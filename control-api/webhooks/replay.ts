import type { Clock } from "@parley/shared/clock.ts";
import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import {
  bringForward,
  copyDeliveries,
  findOneReplayable,
  findReplayable,
  findReplayInFlight,
  lockForReplay,
  type Since,
} from "./replay-store.ts";

/** Limit per request; the next request continues after the last. */
const MAX_REPLAYED = 1_000;

export interface ReplayDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Call once deliveries are committed. */
  readonly announce: () => void;
}

/** Deliveries on their way; `nextAfter` is where to continue if there are more. */
export interface Replayed {
  readonly deliveryIds: readonly string[];
  readonly nextAfter: string | null;
}

/**
 * Redelivers failed deliveries, or one delivery in any state: the same body under a new id, so that deduplicating
 * receivers accept it. A delivery still in progress is not duplicated: its next attempt is made now. Throws `AppError`
 * conflict (the endpoint is disabled), not_found (no such delivery), bad_request (nothing to continue from).
 */
export async function replay(
  webhook: Webhook,
  which: Since | { readonly deliveryId: string },
  { database, clock, announce }: ReplayDeps,
): Promise<Replayed> {
  assertEnabled(webhook);
  const at = new Date(clock.wallMs());
  const replayed = await database.db.transaction().execute(async (trx) => {
    await lockForReplay(trx, webhook.id);
    return "deliveryId" in which
      ? replayOne(trx, webhook.id, { ...which, at })
      : replaySince(trx, webhook.id, { which, at });
  });
  announce();
  return replayed;
}

async function replayOne(
  trx: Kysely<Tables>,
  endpointId: string,
  { deliveryId, at }: { deliveryId: string; at: Date },
): Promise<Replayed> {
  const found = await findOneReplayable(trx, endpointId, deliveryId);
  if (!found) throw new AppError("not_found", "There is no such delivery of this webhook.");
  const inFlight = found.isInFlight ? found.id : await findReplayInFlight(trx, endpointId, found.root);
  const id = inFlight ?? newId("dlv");
  if (inFlight === undefined) await copyDeliveries(trx, [{ from: found.id, to: id }], at);
  else await bringForward(trx, inFlight, at);
  return { deliveryIds: [id], nextAfter: null };
}

async function replaySince(
  trx: Kysely<Tables>,
  endpointId: string,
  { which, at }: { which: Since; at: Date },
): Promise<Replayed> {
  if (which.after !== undefined && !(await findOneReplayable(trx, endpointId, which.after)))
    throw new AppError(
      "bad_request",
      "after: this webhook has no such delivery. Leave it out; what was already replayed is not replayed again.",
    );
  const found = await findReplayable(trx, endpointId, { which, limit: MAX_REPLAYED + 1 });
  const copies = found.slice(0, MAX_REPLAYED).map((from) => ({ from, to: newId("dlv") }));
  await copyDeliveries(trx, copies, at);
  const last = copies.at(-1);
  return {
    deliveryIds: copies.map(({ to }) => to),
    nextAfter: found.length > MAX_REPLAYED && last ? last.from : null,
  };
}

/** Throws `AppError` conflict. */
export function assertEnabled({ enabled }: Webhook): void {
  if (enabled) return;
  throw new AppError("conflict", "The webhook is permanently disabled. Delete it and create it again.");
}
