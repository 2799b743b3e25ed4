import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { every, type JobHandler } from "../../jobs/job-kind.ts";
import { dun } from "../invoices/dunning.ts";
import { issueInvoices } from "../invoices/issue.ts";
import { renewNumber } from "../numbers/renew.ts";
import { followNumbers, listBilledNumbers } from "../numbers/store.ts";
import { readPrices } from "../prices/store.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { findDue } from "./find-due.ts";

const EVERY_MS = 10 * 60_000;

export interface AdvanceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when events are ready to be sent. */
  readonly announceDeliveries: () => void;
}

/** Does what is due with time: invoices, dunning, renewals. Does nothing with billing off. */
export function advancesBilling(deps: AdvanceDeps): JobHandler {
  return every(EVERY_MS, "advance_billing", (signal) => advanceAll(deps, signal));
}

/**
 * Brings every organization up to its current state, each in its own transaction together with the events about it, so
 * that repeating this announces nothing twice. A failure is logged and does not stop the others.
 */
export async function advanceAll(
  { database, clock, log, announceDeliveries }: AdvanceDeps,
  signal: AbortSignal,
): Promise<void> {
  const now = new Date(clock.wallMs());
  await followNumbers(database.db);
  try {
    for (const orgId of await findDue(database.db, now)) {
      // Throwing hands the remaining organizations to another process at once.
      signal.throwIfAborted();
      await database.db
        .transaction()
        .execute((trx) => advance(trx, orgId, now))
        .catch((error: unknown) => {
          log.error(
            { event: "billing_not_advanced", orgId, err: messageOf(error) },
            "failed to advance billing",
          );
        });
    }
  } finally {
    announceDeliveries();
  }
}

async function advance(trx: Kysely<Tables>, orgId: string, now: Date): Promise<void> {
  const locked = await lockAccount(trx, orgId, now);
  if (locked.invoicedTo !== null) await issueInvoices(trx, { orgId, from: locked.invoicedTo, now });
  const account = await dun(trx, locked, now);
  const numbers = await listBilledNumbers(trx, orgId);
  if (numbers.length === 0) return;
  const prices = await readPrices(trx, [orgId]);
  for (const number of numbers) await renewNumber(trx, number, { account, prices, now });
}
