import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { createOrganization } from "../../../testkit/organization.ts";
import type { Databases } from "../../database/open.ts";
import { JobQueue } from "../../jobs/queue.ts";
import { type Balances, readBalances } from "../ledger/post.ts";
import { rebuildSums } from "../ledger/rebuild.ts";
import { insertUsage } from "../metering/usage-store.ts";
import { admitsCalls } from "./admit-calls.ts";
import { chargeUsage } from "./charge.ts";
import { giveCredit } from "./credit.ts";
import { releasesForgotten } from "./release-forgotten.ts";

const AT = new Date("2026-11-22T12:00:00Z");
const LONG_BEFORE = new Date("2020-01-01T00:00:00Z");
const MINUTE_MS = 60_000;
/** How far a clock may be off, either way: past the ends of days, months and years, and past a forgotten call. */
const QUARTER_MINUTES = 90 * 1_440;
const CREDIT = 200_000n;

let database: Databases;
let admit: ReturnType<typeof admitsCalls>;
let nr = 0;
beforeAll(async () => {
  database = await lentDatabase();
  const { channels } = createMemoryBus({ clock: systemClock });
  admit = admitsCalls({ isOn: true, queue: new JobQueue({ clock: new ManualClock(), channels }) });
  const price = { org_id: "", metric: "call_seconds", vendor: "", micros: 10_000n, per: 60n };
  await database.db
    .insertInto("prices")
    .values({ id: "prc_any", ...price, from_at: LONG_BEFORE, created_at: LONG_BEFORE })
    .execute();
});
afterAll(() => database.close());

/** A process dies in the middle of what it does. */
class Died extends Error {}

/** Does it in a transaction, which a process that dies does not commit. */
const inTransaction = (
  work: Parameters<ReturnType<Databases["db"]["transaction"]>["execute"]>[0],
  dies: boolean,
) =>
  database.db
    .transaction()
    .execute(async (trx) => {
      await work(trx);
      if (dies) throw new Died();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Died) && !(error instanceof AppError && error.code === "payment_required"))
        throw error;
    });

const call = fc.integer({ min: 0, max: 3 });
const step = fc.record({
  does: fc.constantFrom("begin", "use", "end", "credit", "forget"),
  call,
  source: fc.integer({ min: 0, max: 2 }),
  dies: fc.boolean(),
  /** Each step has a clock of its own, as if it jumped before: back as well as ahead. */
  jumpMinutes: fc.integer({ min: -QUARTER_MINUTES, max: QUARTER_MINUTES }),
});

/** Returns the holds that a process whose clock shows `at` takes for forgotten. */
async function forget(at: Date): Promise<void> {
  const { run } = releasesForgotten({ database, clock: new ManualClock(at.getTime()) });
  const signal = new AbortController().signal;
  await run({
    jobId: "job_1",
    orgId: null,
    payload: {},
    attempt: 1,
    signal,
    progress: async () => undefined,
  });
}

it("any order of events, with repeats, crashes and clocks that jump, leaves the ledger balanced, usage charged once and nothing held", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { orgId, agentId } = await createOrganization(database);
      const run = ++nr;
      const sessionOf = (which: number) => `ses_${run}_${which}`;
      await giveCredit(database, { orgId, amount: CREDIT, source: "first", at: AT });
      const begun = new Set<number>();
      const end = (which: number, { dies = false, at = AT } = {}) =>
        inTransaction(
          (trx) => chargeUsage(trx, { used: [], ended: [{ sessionId: sessionOf(which), orgId }], now: at }),
          dies,
        );
      for (const { does, call: which, source, dies, jumpMinutes } of steps) {
        const sessionId = sessionOf(which);
        const at = new Date(AT.getTime() + jumpMinutes * MINUTE_MS);
        if (does === "end") await end(which, { dies, at });
        else if (does === "forget") await forget(at);
        else if (does === "credit")
          await giveCredit(database, { orgId, amount: CREDIT, source: `${source}`, at });
        else if (does === "use") {
          const about = {
            agentId,
            keyId: "",
            channel: "telephony",
            vendor: "telnyx",
            priceId: null,
            orgId,
            sessionId,
          };
          const quantity = BigInt(source + 1) * 60n;
          const row = {
            ...about,
            source: `${sessionId} ${source}`,
            metric: "call_seconds",
            quantity,
            amount: quantity * 333n,
            at,
          };
          await inTransaction(async (trx) => {
            const used = await insertUsage(trx, [row]);
            await chargeUsage(trx, { used, ended: [], now: at });
          }, dies);
        } else if (!begun.has(which)) {
          await inTransaction(
            (trx) => admit(trx, { sessionId, orgId, agentId, channel: "telephony", at }),
            dies,
          );
          if (!dies) begun.add(which);
        }
        expect(sumOf(await readBalances(database.db, orgId))).toBe(0n);
      }
      for (const which of [0, 1, 2, 3]) await end(which);
      const balances = await readBalances(database.db, orgId);
      const rows = await database.db
        .selectFrom("usage_rows")
        .select("amount")
        .where("org_id", "=", orgId)
        .execute();
      const used = rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
      expect(balances.held).toBe(0n);
      expect(balances.revenue).toBe(used);
      expect(balances.wallet).toBe(-balances.credits - used);
    }),
    { numRuns: 12 },
  );
  expect(await rebuildSums(database.db)).toEqual({ balances: 0, days: 0 });
}, 120_000);

function sumOf(balances: Balances): bigint {
  return Object.values(balances).reduce((sum, balance) => sum + balance, 0n);
}
