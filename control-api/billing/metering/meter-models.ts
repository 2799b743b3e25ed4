import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { CHAT_CHANNEL } from "@parley/shared/contracts/text-channels.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { AdmitCall } from "../../channels/sessions/admission.ts";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { readPrices } from "../prices/store.ts";
import { readBilledCalls, settleCall } from "../wallet/billed-calls.ts";
import { chargeUsage } from "../wallet/charge.ts";
import { readMeteredCalls } from "./call-store.ts";
import { ofTokens } from "./measure.ts";
import { toUsageRow, type UsedBy } from "./usage-row.ts";
import { insertUsage, type UsageRow } from "./usage-store.ts";

/** What a request about a call used that is over. */
export interface TokensOfCall {
  readonly orgId: string;
  readonly sessionId: string;
  /** What makes it one: told twice it is counted once. */
  readonly source: string;
  readonly tokens: ModelTokens;
}

/** Counts questions to models that no conversation asks: those of apps, and those about calls that are over. */
export interface ModelMeter {
  /** Whether the organization can pay for one. Throws `AppError` payment_required, spending_limit_reached. */
  readonly begin: (orgId: string) => Promise<(used: ModelTokens | undefined) => Promise<void>>;
  /** Never refused: the call was let begin. Nothing of a call that is not there. */
  readonly count: (used: TokensOfCall) => Promise<void>;
}

interface ModelMeterDeps {
  readonly isOn: boolean;
  readonly database: Database;
  readonly clock: Clock;
  readonly admitCall: AdmitCall;
}

type Trx = Kysely<Tables>;

/** Each question of an app is admitted as a chat is, and its tokens are usage of the channel `app`. */
export function metersModels({ isOn, database: { db }, clock, admitCall }: ModelMeterDeps): ModelMeter {
  return {
    begin: async (orgId) => {
      const sessionId = newId("ses");
      const about = { sessionId, orgId, agentId: null };
      await db
        .transaction()
        .execute((trx) => admitCall(trx, { ...about, channel: CHAT_CHANNEL, at: new Date(clock.wallMs()) }));
      return async (tokens) => {
        const now = new Date(clock.wallMs());
        await db.transaction().execute(async (trx) => {
          const by = { ...about, keyId: "", channel: "app", at: now };
          const used = await insertTokens(trx, { source: `model ${sessionId}`, tokens, by });
          if (isOn) await chargeUsage(trx, { used, ended: [{ sessionId, orgId }], now });
          else await settleCall(trx, sessionId, now);
        });
      };
    },
    count: async ({ orgId, sessionId, source, tokens }) => {
      const now = new Date(clock.wallMs());
      await db.transaction().execute(async (trx) => {
        const call = (await readMeteredCalls(trx, [sessionId])).get(sessionId);
        if (call?.orgId !== orgId) return;
        const keyId = (await readBilledCalls(trx, [sessionId])).get(sessionId)?.keyId ?? "";
        const used = await insertTokens(trx, { source, tokens, by: { ...call, keyId, at: now } });
        if (isOn) await chargeUsage(trx, { used, ended: [], now });
      });
    },
  };
}

async function insertTokens(
  trx: Trx,
  {
    source,
    tokens,
    by,
  }: { readonly source: string; readonly tokens: ModelTokens | undefined; readonly by: UsedBy },
): Promise<UsageRow[]> {
  if (!tokens) return [];
  const prices = await readPrices(trx, [by.orgId]);
  const measured = ofTokens(source, tokens).filter(({ quantity }) => quantity > 0n);
  return insertUsage(
    trx,
    measured.map((line) => toUsageRow(line, by, prices)),
  );
}
