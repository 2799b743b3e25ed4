import type { Clock } from "@parley/shared/clock.ts";
import type { Recorded, Subscription } from "../../subscriptions/subscription.ts";
import type { Price } from "../prices/choose-price.ts";
import { readPrices } from "../prices/store.ts";
import { lockAccounts } from "../wallet/account-store.ts";
import { type BilledCall, readBilledCalls, settleCall } from "../wallet/billed-calls.ts";
import { chargeUsage } from "../wallet/charge.ts";
import { readMeteredCalls } from "./call-store.ts";
import { METERED_EVENTS, type MeteredCall, measure } from "./measure.ts";
import { toUsageRow } from "./usage-row.ts";
import { insertUsage, type UsageRow } from "./usage-store.ts";

export interface MeteringDeps {
  readonly isOn: boolean;
  readonly clock: Clock;
}

/**
 * Writes one usage row for each use that recorded events report, priced as of the event, in the transaction that
 * advances the cursor past them. With billing on, also charges it there and returns the holds of ended calls.
 */
export function metersCalls({ isOn, clock }: MeteringDeps): Subscription {
  return {
    name: "usage",
    types: METERED_EVENTS,
    handle: async (trx, recorded) => {
      const sessionIds = recorded.map(({ event }) => event.sessionId);
      const calls = await readMeteredCalls(trx, sessionIds);
      const billed = await readBilledCalls(trx, sessionIds);
      const events = recorded.map(({ event }) => event);
      const orgIds = [...new Set([...calls.values(), ...events].map(({ orgId }) => orgId))];
      const prices = await readPrices(trx, orgIds);
      const now = new Date(clock.wallMs());
      const accounts = isOn ? await lockAccounts(trx, orgIds, now) : undefined;
      const used = await insertUsage(trx, usageOf(recorded, { calls, prices, billed }));
      const ended = events.filter(({ type }) => type === "call.ended");
      if (accounts) await chargeUsage(trx, { used, ended, now, accounts });
      else for (const { sessionId } of ended) await settleCall(trx, sessionId, now);
      return undefined;
    },
  };
}

interface Known {
  readonly calls: ReadonlyMap<string, MeteredCall>;
  readonly billed: ReadonlyMap<string, BilledCall>;
  readonly prices: readonly Price[];
}

function usageOf(recorded: readonly Recorded[], { calls, prices, billed }: Known): UsageRow[] {
  return recorded.flatMap(({ event }) => {
    const call = calls.get(event.sessionId);
    if (!call) return [];
    const at = new Date(event.at);
    const { keyId = "", campaignId = "" } = billed.get(event.sessionId) ?? {};
    const by = { ...call, keyId, campaignId, at };
    return measure(event, call).map((measured) => toUsageRow(measured, by, prices));
  });
}
