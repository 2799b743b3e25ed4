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
import { type Measured, ofTokens } from "./measure.ts";
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

/** A text that was spoken, as far as it was. */
export interface SpokenText {
  readonly provider: string;
  readonly characters: number;
}

/** Counts what no conversation asks of vendors: models and voices that apps ask, and models asked those about calls that are over. */
export interface ModelMeter {
  /** Whether the organization can pay for one. Throws `AppError` payment_required, spending_limit_reached. */
  readonly begin: (orgId: string) => Promise<(used: ModelTokens | undefined) => Promise<void>>;
  /** The same of a text that an app has spoken. */
  readonly beginSpeech: (orgId: string) => Promise<(used: SpokenText) => Promise<void>>;
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
  /** Admits one request of an app; gives what it is counted by, and what counts it. */
  const admit = async (orgId: string) => {
    const sessionId = newId("ses");
    const about = { sessionId, orgId, agentId: null };
    await db
      .transaction()
      .execute((trx) => admitCall(trx, { ...about, channel: CHAT_CHANNEL, at: new Date(clock.wallMs()) }));
    const end = async (measured: readonly Measured[]): Promise<void> => {
      const now = new Date(clock.wallMs());
      await db.transaction().execute(async (trx) => {
        const used = await insertMeasured(trx, measured, { ...about, keyId: "", channel: "app", at: now });
        if (isOn) await chargeUsage(trx, { used, ended: [{ sessionId, orgId }], now });
        else await settleCall(trx, sessionId, now);
      });
    };
    return { sessionId, end };
  };
  return {
    begin: async (orgId) => {
      const { sessionId, end } = await admit(orgId);
      return (tokens) => end(tokens ? ofTokens(`model ${sessionId}`, tokens) : []);
    },
    beginSpeech: async (orgId) => {
      const { sessionId, end } = await admit(orgId);
      const source = `speech ${sessionId}`;
      return ({ provider: vendor, characters }) =>
        end([{ source, metric: "tts_characters", vendor, quantity: BigInt(characters) }]);
    },
    count: async ({ orgId, sessionId, source, tokens }) => {
      const now = new Date(clock.wallMs());
      await db.transaction().execute(async (trx) => {
        const call = (await readMeteredCalls(trx, [sessionId])).get(sessionId);
        if (call?.orgId !== orgId) return;
        const keyId = (await readBilledCalls(trx, [sessionId])).get(sessionId)?.keyId ?? "";
        const used = await insertMeasured(trx, ofTokens(source, tokens), { ...call, keyId, at: now });
        if (isOn) await chargeUsage(trx, { used, ended: [], now });
      });
    },
  };
}

async function insertMeasured(trx: Trx, lines: readonly Measured[], by: UsedBy): Promise<UsageRow[]> {
  const measured = lines.filter(({ quantity }) => quantity > 0n);
  if (measured.length === 0) return [];
  const prices = await readPrices(trx, [by.orgId]);
  return insertUsage(
    trx,
    measured.map((line) => toUsageRow(line, by, prices)),
  );
}
