import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { post, readBalances } from "@parley/control-api/billing/ledger/post.ts";
import { rebuildSums } from "@parley/control-api/billing/ledger/rebuild.ts";
import { metersCalls } from "@parley/control-api/billing/metering/meter-calls.ts";
import { insertBilledCall } from "@parley/control-api/billing/wallet/billed-calls.ts";
import { giveCredit } from "@parley/control-api/billing/wallet/credit.ts";
import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { systemClock } from "@parley/shared/clock.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { createOrganization } from "../../testkit/organization.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { startSubscriptions } from "../../testkit/subscriptions.ts";
import { sizeOf } from "./support/sizes.ts";

const SCRIPT = join(import.meta.dirname, "support/metering-process.ts");
const { calls: CALLS, kills: KILLS } = sizeOf("meteringKilled");
/** Recording the calls and charging them each may take this long. */
const PATIENCE_MS = 60_000 + 60 * CALLS;
const SAID = "Good morning!";
/** For each call before it. */
const HELD = 50_000n;
const AT = new Date("2026-11-23T12:00:00.000Z");
/** A third of a cent a second and seven micros a character: nothing that divides evenly. */
const SECOND = { micros: 10_000n, per: 3n };
const CHARACTER = { micros: 7n, per: 1n };

describe.runIf(needs("postgres"))("two metering processes that are killed at random", () => {
  let own: Awaited<ReturnType<typeof createTestDatabase>>;
  let database: Databases;
  const running = new Set<ChildProcess>();
  beforeAll(async () => {
    own = await createTestDatabase();
    database = await openDatabase({ databaseUrl: own.url });
  });
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await database.close();
    await own.drop();
  });

  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [SCRIPT, own.url], { stdio: ["ignore", "pipe", "inherit"] });
    running.add(child);
    child.once("exit", () => running.delete(child));
    if (child.stdout) await once(child.stdout, "data");
    return child;
  };

  it(`charge ${CALLS} calls for exactly what they used, and hold nothing after them`, {
    timeout: 2 * PATIENCE_MS,
  }, async () => {
    const { orgId, agentId, userId } = await createOrganization(database);
    await addPrices(database);
    await giveCredit(database, { orgId, amount: 1_000_000_000n, source: "welcome", at: AT });
    const expected = await recordCalls(database, { orgId, agentId, userId });
    const first = launch();
    const second = launch();
    const living = [await first, await second];
    for (let kill = 0; kill < KILLS; kill++) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 250));
      const victim = living.shift();
      victim?.kill("SIGKILL");
      living.push(await launch());
    }
    const isDone = async () => (await countOf(database, "usage_rows")) === expected.rows;
    await expect.poll(isDone, { timeout: PATIENCE_MS, interval: 200 }).toBe(true);
    await expect
      .poll(async () => (await readBalances(database.db, orgId)).held, { timeout: PATIENCE_MS })
      .toBe(0n);
    const balances = await readBalances(database.db, orgId);
    expect(balances.revenue).toBe(expected.amount);
    expect(balances.wallet).toBe(1_000_000_000n - expected.amount);
    expect(await sumOfUsage(database)).toBe(expected.amount);
    expect(await rebuildSums(database.db)).toEqual({ balances: 0, days: 0 });
  });
});

async function addPrices({ db }: Databases): Promise<void> {
  const about = { org_id: "", vendor: "", from_at: "2026-01-01T00:00:00Z", created_at: AT };
  await db
    .insertInto("prices")
    .values([
      { ...about, id: "prc_1", metric: "call_seconds", ...SECOND },
      { ...about, id: "prc_2", metric: "tts_characters", ...CHARACTER },
    ])
    .execute();
}

/** Calls with what a gateway tells of them, recorded while no process meters. */
async function recordCalls(
  database: Databases,
  { orgId, agentId, userId }: { orgId: string; agentId: string; userId: string },
): Promise<{ rows: number; amount: bigint }> {
  const recorder = await startSubscriptions([metersCalls({ isOn: true, clock: systemClock })], {
    database,
    clock: systemClock,
  });
  await recorder.stop();
  let amount = 0n;
  const perCall = BigInt([...SAID].length) * CHARACTER.micros;
  for (let nr = 0; nr < CALLS; nr++) {
    const sessionId = newId("ses");
    const durationSecs = 30 + (nr % 211);
    await insertCall(database, { sessionId, orgId, agentId, userId });
    const billed = {
      sessionId,
      orgId,
      agentId,
      keyId: "",
      campaignId: nr % 2 === 0 ? "" : "cmp_drill",
      estimate: HELD,
      held: HELD,
      at: AT,
    };
    await insertBilledCall(database.db, billed);
    amount += roundedHalfEven(BigInt(durationSecs) * SECOND.micros, SECOND.per) + perCall;
    const said = { type: "call.message", turn: 1, role: "assistant", text: SAID };
    const events = [
      { ...said, interrupted: false, source: "speech" },
      { type: "call.ended", reason: "hangup", status: "completed", durationSecs },
      // Whoever missed the end tells of it again.
      { type: "call.ended", reason: "hangup", status: "completed", durationSecs: 9_999 },
    ].map((event, seq) => ({ id: newId("evt"), sessionId, orgId, seq, at: AT.toISOString(), ...event }));
    await recorder.record(events as unknown as CallEvent[], { isTold: false });
  }
  const all = HELD * BigInt(CALLS);
  await database.db
    .transaction()
    .execute((trx) =>
      post(trx, { orgId, kind: "hold", source: "all", at: AT, entries: { wallet: -all, held: all } }),
    );
  return { rows: 2 * CALLS, amount };
}

const roundedHalfEven = (numerator: bigint, denominator: bigint): bigint => {
  const [quotient, twice] = [numerator / denominator, (numerator % denominator) * 2n];
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
};

async function insertCall(
  { db }: Databases,
  call: { sessionId: string; orgId: string; agentId: string; userId: string },
): Promise<void> {
  const { sessionId, orgId, agentId, userId } = call;
  await sql`insert into calls (id, session_id, org_id, agent_id, user_id, variables, node_id, channel, direction,
      status, created_at, started_at)
    values (${newId("cal")}, ${sessionId}, ${orgId}, ${agentId}, ${userId}, '{}', 'nod_1', 'web', 'inbound',
      'live', ${AT}, ${AT})`.execute(db);
}

async function countOf({ db }: Databases, table: "usage_rows"): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function sumOfUsage({ db }: Databases): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`select sum(amount)::text as sum from usage_rows`.execute(db);
  return BigInt(rows[0]?.sum ?? 0);
}
