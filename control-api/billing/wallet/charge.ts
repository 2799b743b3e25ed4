import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { post } from "../ledger/post.ts";
import type { UsageRow } from "../metering/usage-store.ts";
import { type BillingAccount, lockAccounts } from "./account-store.ts";
import { readBilledCalls, setHeld, settleCall } from "./billed-calls.ts";

type Trx = Kysely<Tables>;

export interface Charges {
  /** Usage just written and not charged before. */
  readonly used: readonly UsageRow[];
  /** Ended calls, whose remaining holds are returned. */
  readonly ended: readonly { readonly sessionId: string; readonly orgId: string }[];
  readonly now: Date;
  /** By organization, locked before `used` was written. Absent: nobody else writes about these, or they are locked. */
  readonly accounts?: ReadonlyMap<string, BillingAccount>;
}

/**
 * Charges usage in the transaction that writes it: first against the call's hold, then the wallet, which goes below
 * zero if a call cost more than it had. Postpaid organizations owe it. Whoever writes usage locks the accounts first.
 */
export async function chargeUsage(trx: Trx, { used, ended, now, accounts }: Charges): Promise<void> {
  const orgIds = [...new Set([...used, ...ended].map(({ orgId }) => orgId))].toSorted();
  const locked = accounts ?? (await lockAccounts(trx, orgIds, now));
  for (const orgId of orgIds) {
    const account = locked.get(orgId);
    if (!account) throw new Error(`the account of ${orgId} was not locked before it was charged`);
    const bySession = Map.groupBy(
      used.filter((row) => row.orgId === orgId),
      ({ sessionId }) => sessionId ?? "",
    );
    for (const [sessionId, rows] of bySession)
      await chargeSession(trx, { orgId, sessionId, rows, isPrepaid: account.plan === "prepaid" });
    for (const { sessionId } of ended.filter((call) => call.orgId === orgId))
      await releaseHold(trx, { orgId, sessionId, now });
  }
}

async function chargeSession(
  trx: Trx,
  {
    orgId,
    sessionId,
    rows,
    isPrepaid,
  }: { orgId: string; sessionId: string; rows: readonly UsageRow[]; isPrepaid: boolean },
): Promise<void> {
  const [first] = rows;
  const total = rows.reduce((sum, { amount }) => sum + amount, 0n);
  if (!first || total === 0n) return;
  const held = (await readBilledCalls(trx, [sessionId])).get(sessionId)?.held ?? 0n;
  const ofHeld = held < total ? held : total;
  const rest = total - ofHeld;
  await post(trx, {
    orgId,
    kind: "charge",
    source: `usage ${first.metric} ${first.source}`,
    at: first.at,
    entries: { held: -ofHeld, [isPrepaid ? "wallet" : "unbilled"]: -rest, revenue: total },
  });
  if (ofHeld > 0n) await setHeld(trx, sessionId, held - ofHeld);
}

/** Returns a call's hold to the wallet; the account is locked. Repeating it has no effect. */
export async function releaseHold(
  trx: Trx,
  { orgId, sessionId, now }: { orgId: string; sessionId: string; now: Date },
): Promise<void> {
  const call = (await readBilledCalls(trx, [sessionId])).get(sessionId);
  if (!call || call.orgId !== orgId) return;
  await post(trx, {
    orgId,
    kind: "release",
    source: `release ${sessionId}`,
    at: now,
    entries: { held: -call.held, wallet: call.held },
  });
  await settleCall(trx, sessionId, now);
}
