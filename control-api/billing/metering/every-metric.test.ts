import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { USAGE_METRICS, type UsageMetric } from "@parley/shared/contracts/billing.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { createOrganization, type TestOrganization } from "../../../testkit/organization.ts";
import type { Databases } from "../../database/open.ts";
import { JobQueue } from "../../jobs/queue.ts";
import { readBalances } from "../ledger/post.ts";
import { advanceAll } from "../lifecycle/advance.ts";
import { admitsCalls } from "../wallet/admit-calls.ts";
import { giveCredit } from "../wallet/credit.ts";
import { AppCallMeter } from "./app-calls.ts";
import { bookAppCalls } from "./book-app-calls.ts";
import { metersCalls } from "./meter-calls.ts";
import { countsMessages } from "./meter-messages.ts";
import { metersModels } from "./meter-models.ts";

const AT = new Date("2026-11-22T12:00:00Z");
const BEFORE = new Date("2026-10-20T12:00:00Z");
const SESSION = "ses_every";
/** A third of a cent for each unit: nothing that divides evenly. */
const UNIT = { micros: 10_000n, per: 3n };
const log = createLogger({ level: "silent", format: "json", name: "test" });

let database: Databases;
let org: TestOrganization;
const clock = new ManualClock(AT.getTime());
beforeAll(async () => {
  database = await lentDatabase();
  org = await createOrganization(database, { tts: [{ vendor: "elevenlabs" }] });
  const price = { org_id: "", vendor: "", ...UNIT, from_at: BEFORE, created_at: BEFORE };
  await database.db
    .insertInto("prices")
    .values(USAGE_METRICS.map((metric) => ({ id: `prc_${metric}`, metric, ...price })))
    .execute();
  await giveCredit(database, { orgId: org.orgId, amount: 50_000_000n, source: "welcome", at: AT });
  await addCall();
});
afterAll(() => database.close());

async function addCall(): Promise<void> {
  const absent = {
    agent_version: null,
    identifier: null,
    from_number: null,
    to_number: null,
    call_sid: null,
  };
  const unknown = { answered_by: null, machine_detection: null, transfer_id: null, transfer: null };
  await database.db
    .insertInto("calls")
    .values({
      ...{ id: "cal_every", session_id: SESSION, org_id: org.orgId, agent_id: org.agentId },
      ...{ user_id: org.userId, variables: "{}", node_id: "nod_1", channel: "telephony" },
      ...{ direction: "outbound", carrier: "telnyx", end_reason: null, created_at: AT, started_at: AT },
      ...{ ended_at: null, duration_secs: null, content_deleted_at: null, ...absent, ...unknown },
    })
    .execute();
}

/** Reports events of the call, in the transaction that moves past them. */
async function report(...events: object[]): Promise<void> {
  const recorded = events.map((one, nr) => ({
    event: {
      ...{ sessionId: SESSION, orgId: org.orgId, seq: nr, at: AT.toISOString(), id: "evt_1" },
      ...one,
    } as CallEvent,
    recordedAt: AT,
  }));
  const { handle } = metersCalls({ isOn: true, clock });
  await database.db.transaction().execute((trx) => handle(trx, recorded));
}

const ended = () => report({ type: "call.ended", reason: "hangup", status: "completed", durationSecs: 121 });
const said = () =>
  report({
    ...{ id: "evt_said", type: "call.message", turn: 1, role: "assistant", text: "Good morning!" },
    ...{ interrupted: false, source: "speech" },
  });
const asked = () =>
  report({
    ...{ id: "evt_asked", type: "call.tokens_used", turn: 1, model: "large", isOwn: false },
    ...{ inputTokens: 2_000, outputTokens: 100 },
  });

async function embed(): Promise<void> {
  const { channels } = createMemoryBus({ clock: systemClock });
  const admitCall = admitsCalls({ isOn: true, queue: new JobQueue({ clock, channels }) });
  const meter = metersModels({ isOn: true, database, clock, admitCall });
  await meter.countEmbedded({ orgId: org.orgId, source: "embed doc_1", model: "small", tokens: 700 });
}

async function write(): Promise<void> {
  const by = { orgId: org.orgId, sessionId: null, agentId: null, keyId: "", channel: "whatsapp" };
  const count = countsMessages({ isOn: true, clock });
  const counted = { ...by, kind: "conversation" as const, messageIds: ["msg_1"] };
  await database.db.transaction().execute((trx) => count(trx, counted));
}

let isAppCounted = false;
async function callOfApp(): Promise<void> {
  if (!isAppCounted) await new AppCallMeter({ database, clock }).count({ orgId: org.orgId, appId: "app_1" });
  isAppCounted = true;
  await bookAppCalls({ isOn: true, database, clock });
}

let hasNumber = false;
async function renew(): Promise<void> {
  const { orgId, userId } = org;
  const number = { id: "num_1", org_id: orgId, number: "+15550001111", carrier: "telnyx" } as const;
  if (!hasNumber)
    await database.db
      .insertInto("phone_numbers")
      .values({ ...number, label: "", agent_id: null, user_id: userId, created_at: BEFORE })
      .execute();
  hasNumber = true;
  const deps = { database, clock, log, announceDeliveries: () => undefined };
  await advanceAll(deps, new AbortController().signal);
}

/** For each metric, what tells of a use, and the one row that it is. */
const USES: Readonly<Record<UsageMetric, { readonly tell: () => Promise<void>; readonly row: string }>> = {
  call_seconds: { tell: ended, row: "telnyx 121 403333" },
  stt_seconds: { tell: ended, row: "gateway 121 403333" },
  tts_characters: { tell: said, row: "elevenlabs 13 43333" },
  messages: { tell: write, row: "whatsapp 1 3333" },
  number_months: { tell: renew, row: "telnyx 1 3333" },
  llm_input_tokens: { tell: asked, row: "large 2000 6666667" },
  llm_output_tokens: { tell: asked, row: "large 100 333333" },
  embedding_tokens: { tell: embed, row: "small 700 2333333" },
  app_calls: { tell: callOfApp, row: "app_1 1 3333" },
};

const rowsOf = async (metric: string) => {
  const rows = await database.db
    .selectFrom("usage_rows")
    .select(["vendor", "quantity", "amount", "price_id"])
    .where("org_id", "=", org.orgId)
    .where("metric", "=", metric)
    .execute();
  return rows.map((row) => {
    expect(row.price_id).toBe(`prc_${metric}`);
    return `${row.vendor} ${row.quantity} ${row.amount}`;
  });
};

describe("each kind of use", () => {
  it.each(Object.entries(USES))(
    "%s is one row at its price, however often it is told of",
    async (metric, { tell, row }) => {
      await tell();
      await tell();
      expect(await rowsOf(metric)).toEqual([row]);
    },
  );

  it("is charged with its row, to the millionth, and summed by its day", async () => {
    for (const { tell } of Object.values(USES)) await tell();
    const { amounts } = await database.db
      .selectFrom("usage_rows")
      .select(({ fn }) => fn.sum<string>("amount").as("amounts"))
      .where("org_id", "=", org.orgId)
      .executeTakeFirstOrThrow();
    const { days } = await database.db
      .selectFrom("usage_days")
      .select(({ fn }) => fn.sum<string>("amount").as("days"))
      .where("org_id", "=", org.orgId)
      .executeTakeFirstOrThrow();
    const { revenue, wallet, held } = await readBalances(database.db, org.orgId);
    expect({ days: BigInt(days), revenue, held }).toEqual({
      ...{ days: BigInt(amounts), revenue: BigInt(amounts), held: 0n },
    });
    expect(wallet).toBe(50_000_000n - revenue);
  });
});
