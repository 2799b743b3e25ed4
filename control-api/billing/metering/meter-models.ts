import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { MessageSpeech } from "@parley/shared/contracts/billing.ts";
import { CHAT_CHANNEL } from "@parley/shared/contracts/text-channels.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { AdmitCall } from "../../channels/sessions/admission.ts";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { readBilledCalls } from "../wallet/billed-calls.ts";
import { readMeteredCalls } from "./call-store.ts";
import { chargeMeasured } from "./charge-measured.ts";
import { type Measured, ofTokens } from "./measure.ts";

/** The tokens of a request about a finished call. */
export interface TokensOfCall {
  readonly orgId: string;
  readonly sessionId: string;
  /** Identifies the request; repeats count once. */
  readonly source: string;
  readonly tokens: ModelTokens;
}

/** The tokens that an embeddings service took to embed an organization's texts. */
export interface EmbeddedTokens {
  readonly orgId: string;
  /** Identifies the request; repeats count once. */
  readonly source: string;
  readonly model: string;
  readonly tokens: number;
  /** What the texts belong to; absent: knowledge. */
  readonly channel?: "knowledge" | "app";
}

/** A text as far as it was spoken. */
export interface SpokenText {
  readonly provider: string;
  readonly characters: number;
}

/** Meters vendor use outside conversations: models and voices that apps ask, and models asked about finished calls. */
export interface ModelMeter {
  /**
   * Admits a request if the organization can pay for it. The channel is `app` unless given. Throws `AppError`
   * payment_required, spending_limit_reached.
   */
  readonly begin: (
    orgId: string,
    channel?: "copilot",
  ) => Promise<(used: ModelTokens | undefined) => Promise<void>>;
  /** Like `begin`, for speech that an app requests. */
  readonly beginSpeech: (orgId: string) => Promise<(used: SpokenText) => Promise<void>>;
  /** Never refuses, since the call was already admitted. Counts nothing for a missing call. */
  readonly count: (used: TokensOfCall) => Promise<void>;
  /** Never refuses, since documents and records must be found; usage of the channel `knowledge` unless given. */
  readonly countEmbedded: (used: EmbeddedTokens) => Promise<void>;
  /** Never refuses: the message is there, or its answer is. */
  readonly countSpeech: (used: MessageSpeech) => Promise<void>;
}

interface ModelMeterDeps {
  readonly isOn: boolean;
  readonly database: Database;
  readonly clock: Clock;
  readonly admitCall: AdmitCall;
}

type Trx = Kysely<Tables>;

/** Admits each question of an app or a copilot like a chat; its tokens are usage of the channel `app` or `copilot`. */
export function metersModels({ isOn, database: { db }, clock, admitCall }: ModelMeterDeps): ModelMeter {
  /** Admits one request and returns its source and its counter. */
  const admit = async (orgId: string, channel: string = "app") => {
    const sessionId = newId("ses");
    const about = { sessionId, orgId, agentId: null };
    await db
      .transaction()
      .execute((trx) => admitCall(trx, { ...about, channel: CHAT_CHANNEL, at: new Date(clock.wallMs()) }));
    const end = async (measured: readonly Measured[]): Promise<void> => {
      const now = new Date(clock.wallMs());
      const by = { ...about, keyId: "", channel, at: now };
      await db
        .transaction()
        .execute((trx) => chargeMeasured(trx, measured, by, { isOn, now, ends: sessionId }));
    };
    return { sessionId, end };
  };
  return {
    begin: async (orgId, channel) => {
      const { sessionId, end } = await admit(orgId, channel);
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
        const { keyId = "", campaignId = "" } =
          (await readBilledCalls(trx, [sessionId])).get(sessionId) ?? {};
        const by = { ...call, keyId, campaignId, at: now };
        await chargeMeasured(trx, ofTokens(source, tokens), by, { isOn, now });
      });
    },
    countSpeech: countsSpeech({ isOn, db, clock }),
    countEmbedded: async ({ orgId, source, model: vendor, tokens, channel = "knowledge" }) => {
      const now = new Date(clock.wallMs());
      const line: Measured = { source, metric: "embedding_tokens", vendor, quantity: BigInt(tokens) };
      const by = { orgId, sessionId: null, agentId: null, keyId: "", channel, at: now };
      await db.transaction().execute((trx) => chargeMeasured(trx, [line], by, { isOn, now }));
    },
  };
}

/** Counts voice messages that were heard and spoken. */
function countsSpeech({ isOn, db, clock }: Pick<ModelMeterDeps, "isOn" | "clock"> & { readonly db: Trx }) {
  return async ({ orgId, sessionId, agentId, channel, quantity, ...line }: MessageSpeech): Promise<void> => {
    const now = new Date(clock.wallMs());
    await db.transaction().execute(async (trx) => {
      const billed =
        sessionId === null ? undefined : (await readBilledCalls(trx, [sessionId])).get(sessionId);
      const by = { orgId, sessionId, agentId, keyId: billed?.keyId ?? "", channel, at: now };
      await chargeMeasured(trx, [{ ...line, quantity: BigInt(quantity) }], by, { isOn, now });
    });
  };
}
