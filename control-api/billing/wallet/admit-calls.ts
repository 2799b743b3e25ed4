import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { isTextChannel } from "@parley/shared/contracts/text-channels.ts";
import type { Kysely } from "kysely";
import type { AdmitCall, CallToAdmit } from "../../channels/sessions/admission.ts";
import type { Tables } from "../../database/tables.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { post, readBalances } from "../ledger/post.ts";
import { holdToLimits } from "../limits/hold-to-limits.ts";
import { addWarnings } from "../limits/warn-owners.ts";
import { amountOf } from "../money.ts";
import { choosePrice } from "../prices/choose-price.ts";
import { readPrices } from "../prices/store.ts";
import { lockAccount } from "./account-store.ts";
import { insertBilledCall, readBilledCalls } from "./billed-calls.ts";
import { balanceTooLowError, suspendedError } from "./refusals.ts";

/** Seconds of a call that are held in advance. */
const HOLD_SECS = 300n;

type Trx = Kysely<Tables>;

export interface AdmitCallsDeps {
  readonly isOn: boolean;
  readonly queue: JobQueue;
}

/**
 * Records who asked for a call. With billing on, refuses it if it cannot be paid for or exceeds a hard limit, and holds
 * the cost of its first five minutes.
 */
export function admitsCalls({ isOn, queue }: AdmitCallsDeps): AdmitCall {
  return async (trx, call) => {
    const { sessionId, orgId, at } = call;
    const who = {
      agentId: call.agentId ?? "",
      keyId: call.keyId ?? "",
      campaignId: call.campaignId ?? "",
    };
    const billed = { ...who, sessionId, orgId, at };
    // A chat whose first message failed starts again under the same id.
    if ((await readBilledCalls(trx, [sessionId])).has(sessionId)) return;
    if (!isOn) return insertBilledCall(trx, { ...billed, estimate: 0n, held: 0n });
    const { plan, suspendedAt } = await lockAccount(trx, orgId, at);
    if (suspendedAt !== null) throw suspendedError(suspendedAt);
    const estimate = await estimateOf(trx, call);
    const limits = await holdToLimits(trx, { ...who, orgId, estimate, now: at });
    await addWarnings(trx, queue, { orgId, limits });
    const held = plan === "prepaid" ? estimate : 0n;
    if (plan === "prepaid") await hold(trx, { sessionId, orgId, held, at });
    await insertBilledCall(trx, { ...billed, estimate, held });
  };
}

async function hold(
  trx: Trx,
  { sessionId, orgId, held, at }: { sessionId: string; orgId: string; held: bigint; at: Date },
): Promise<void> {
  const { wallet } = await readBalances(trx, orgId);
  if (wallet < held || wallet < 0n) throw balanceTooLowError(wallet, held, "five minutes of this call cost");
  const entries = { wallet: -held, held };
  await post(trx, { orgId, kind: "hold", source: `hold ${sessionId}`, at, entries });
}

/**
 * The maximum cost of the first five minutes, without what is said, which is unknown. Chats pay per message, and
 * rehearsals as they go.
 */
async function estimateOf(trx: Trx, { orgId, channel, carrier, at }: CallToAdmit): Promise<bigint> {
  const prices = await readPrices(trx, [orgId]);
  if (isTextChannel(channel) || channel === SIMULATION) return 0n;
  const perSecond = [
    { metric: "call_seconds", vendor: carrier ?? channel },
    { metric: "stt_seconds", vendor: "" },
  ];
  return perSecond.reduce((sum, about) => {
    const price = choosePrice(prices, { ...about, orgId, at });
    return price ? sum + amountOf(HOLD_SECS, price) : sum;
  }, 0n);
}
