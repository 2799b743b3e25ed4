import type { Clock } from "@parley/shared/clock.ts";
import type { UsageMetric } from "@parley/shared/contracts/billing.ts";
import { CHAT_CHANNEL } from "@parley/shared/contracts/text-channels.ts";
import { newId } from "@parley/shared/ids.ts";
import type { AdmitCall } from "../../channels/sessions/admission.ts";
import type { Database } from "../../database/open.ts";
import { amountOf } from "../money.ts";
import { choosePrice } from "../prices/choose-price.ts";
import { readPrices } from "../prices/store.ts";
import { settleCall } from "../wallet/billed-calls.ts";
import { chargeUsage } from "../wallet/charge.ts";
import { insertUsage, type UsageRow } from "./usage-store.ts";

/** What one question to a model used. */
interface ModelUse {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Counts questions to models that no call asks: those of apps. */
export interface ModelMeter {
  /** Whether the organization can pay for one. Throws `AppError` payment_required, spending_limit_reached. */
  readonly begin: (orgId: string) => Promise<(use: ModelUse | undefined) => Promise<void>>;
}

interface ModelMeterDeps {
  readonly isOn: boolean;
  readonly database: Database;
  readonly clock: Clock;
  readonly admitCall: AdmitCall;
}

/** Each is admitted as a chat is, and its tokens are usage of the channel `app`, at the price in force. */
export function metersModels({ isOn, database: { db }, clock, admitCall }: ModelMeterDeps): ModelMeter {
  return {
    begin: async (orgId) => {
      const sessionId = newId("ses");
      const about = { sessionId, orgId, agentId: null, channel: CHAT_CHANNEL };
      await db.transaction().execute((trx) => admitCall(trx, { ...about, at: new Date(clock.wallMs()) }));
      return async (use) => {
        const now = new Date(clock.wallMs());
        await db.transaction().execute(async (trx) => {
          const prices = use ? await readPrices(trx, [orgId]) : [];
          const toRow = (metric: UsageMetric, quantity: number, vendor: string): UsageRow => {
            const price = choosePrice(prices, { orgId, metric, vendor, at: now });
            return {
              ...{ source: `model ${sessionId}`, metric, orgId, sessionId, agentId: "", keyId: "" },
              ...{ channel: "app", vendor, quantity: BigInt(quantity), priceId: price?.id ?? null },
              amount: price ? amountOf(BigInt(quantity), price) : 0n,
              at: now,
            };
          };
          const rows = use
            ? [
                toRow("llm_input_tokens", use.inputTokens, use.model),
                toRow("llm_output_tokens", use.outputTokens, use.model),
              ]
            : [];
          const used = await insertUsage(
            trx,
            rows.filter(({ quantity }) => quantity > 0n),
          );
          if (isOn) await chargeUsage(trx, { used, ended: [{ sessionId, orgId }], now });
          else await settleCall(trx, sessionId, now);
        });
      };
    },
  };
}
