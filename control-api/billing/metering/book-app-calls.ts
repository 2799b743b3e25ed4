import type { Clock } from "@parley/shared/clock.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { Round } from "../../modules/module.ts";
import { choosePrice, type Price } from "../prices/choose-price.ts";
import { readPrices } from "../prices/store.ts";
import { lockAccount } from "../wallet/account-store.ts";
import { chargeMeasured } from "./charge-measured.ts";

type Trx = Kysely<Tables>;

const BOOK_EVERY_MS = 1_000;
const ORGS_AT_ONCE = 500;
const MAX_ROWS = 1_000;

export interface BookingDeps {
  readonly isOn: boolean;
  readonly database: Database;
  readonly clock: Clock;
}

interface Counted {
  readonly id: string;
  readonly appId: string;
  readonly calls: bigint;
  readonly at: Date;
}

/** Makes usage of counted calls of apps. Every process does; none takes what another is taking. */
export function booksAppCalls(deps: BookingDeps): Round {
  return { name: "book app calls", everyMs: BOOK_EVERY_MS, run: (signal) => bookAppCalls(deps, signal) };
}

/** Each organization's in a transaction of its own: one that fails keeps nobody else's back. */
export async function bookAppCalls(deps: BookingDeps, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  let orgIds = await findOrgs(deps.database.db, "");
  while (orgIds.length > 0) {
    for (const orgId of orgIds) {
      if (signal?.aborted) return;
      await deps.database.db
        .transaction()
        .execute((trx) => bookOrg(trx, orgId, deps))
        .catch((error: unknown) => failures.push(error));
    }
    // All of them in each round: those that are always busy keep nobody waiting.
    orgIds = await findOrgs(deps.database.db, orgIds.at(-1) ?? "");
  }
  if (failures.length > 0) throw failures[0];
}

async function findOrgs(db: Trx, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom("counted_app_calls")
    .select("org_id")
    .distinct()
    .where("org_id", ">", after)
    .orderBy("org_id")
    .limit(ORGS_AT_ONCE)
    .execute();
  return rows.map(({ org_id }) => org_id);
}

async function bookOrg(trx: Trx, orgId: string, { isOn, clock }: BookingDeps): Promise<void> {
  const now = new Date(clock.wallMs());
  if (isOn) await lockAccount(trx, orgId, now);
  const counted = await takeCounted(trx, orgId);
  if (counted.length === 0) return;
  const prices = await readPrices(trx, [orgId]);
  for (const same of groupsOf(counted, { orgId, prices })) {
    const [first] = same;
    if (!first) continue;
    const quantity = same.reduce((sum, { calls }) => sum + calls, 0n);
    const line = {
      source: `calls ${first.id}`,
      metric: "app_calls" as const,
      vendor: first.appId,
      quantity,
    };
    const by = { orgId, sessionId: null, agentId: null, keyId: "", channel: "app", at: first.at };
    await chargeMeasured(trx, [line], by, { isOn, now });
  }
}

async function takeCounted(trx: Trx, orgId: string): Promise<Counted[]> {
  const taken = trx
    .selectFrom("counted_app_calls")
    .select("id")
    .where("org_id", "=", orgId)
    .orderBy("id")
    .limit(MAX_ROWS)
    .forUpdate()
    .skipLocked();
  const rows = await trx
    .deleteFrom("counted_app_calls")
    .where("id", "in", taken)
    .returning(["id", "app_id", "calls", "at"])
    .execute();
  return rows
    .map((row) => ({ id: row.id, appId: row.app_id, calls: BigInt(row.calls), at: row.at }))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1));
}

/**
 * One app's calls of one day at one price, which become one row of usage. In one order: with billing off nothing else
 * keeps two processes from waiting for each other at the sums of days.
 */
function groupsOf(
  counted: readonly Counted[],
  { orgId, prices }: { orgId: string; prices: readonly Price[] },
): Counted[][] {
  const groups = Map.groupBy(counted, ({ appId, at }) => {
    const price = choosePrice(prices, { orgId, metric: "app_calls", vendor: appId, at });
    return `${appId} ${at.toISOString().slice(0, 10)} ${price?.id ?? ""}`;
  });
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, same]) => same);
}
