import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import type { Databases } from "../../database/open.ts";
import { LEDGER_ACCOUNTS, type LedgerAccount } from "./accounts.ts";
import { type Posting, post, readBalances } from "./post.ts";
import { rebuildSums } from "./rebuild.ts";

const AT = new Date("2026-11-22T12:00:00Z");

let database: Databases;
let nr = 0;
beforeAll(async () => {
  database = await lentDatabase();
});
afterAll(() => database.close());

const write = (orgId: string, entries: Posting["entries"], source = `test ${++nr}`) =>
  database.db.transaction().execute((trx) => post(trx, { orgId, kind: "payment", source, at: AT, entries }));

describe("the ledger", () => {
  it("has what was posted, once for each source", async () => {
    expect(await write("org_once", { wallet: 500n, cash: -500n, held: 0n }, "payment 1")).toBe(true);
    expect(await write("org_once", { wallet: 500n, cash: -500n }, "payment 1")).toBe(false);
    expect(await write("org_once", {})).toBe(false);
    expect(await readBalances(database.db, "org_once")).toMatchObject({
      wallet: 500n,
      cash: -500n,
      held: 0n,
    });
    expect(await readBalances(database.db, "org_other")).toMatchObject({ wallet: 0n });
  });

  it.each([
    ["does not add up to zero", { wallet: 500n, cash: -499n }],
    ["has one entry", { wallet: 500n }],
  ])("a transaction that %s is refused by the database, with everything beside it", async (_, entries) => {
    await expect(write("org_unbalanced", entries)).rejects.toThrow(/ledger has \d entries and the sum/);
    expect(await readBalances(database.db, "org_unbalanced")).toMatchObject({ wallet: 0n, cash: 0n });
  });

  it("a transaction without entries is refused as well", async () => {
    const row = { id: "ltx_bare", org_id: "org_bare", kind: "payment", source: "bare", at: AT };
    await expect(database.db.insertInto("ledger_transactions").values(row).execute()).rejects.toThrow(
      "0 entries",
    );
  });

  it("is never changed", async () => {
    await write("org_fixed", { wallet: 1n, cash: -1n });
    for (const table of ["ledger_entries", "ledger_transactions"] as const) {
      await expect(database.db.deleteFrom(table).execute()).rejects.toThrow("never changed");
      await expect(sql`update ${sql.table(table)} set org_id = 'x'`.execute(database.db)).rejects.toThrow(
        "never changed",
      );
    }
  });

  it("gives the same balances when they are rebuilt, and finds those that are off", async () => {
    await write("org_sums", { wallet: 700n, cash: -700n });
    await write("org_sums", { wallet: -50n, revenue: 50n });
    expect(await rebuildSums(database.db)).toEqual({ balances: 0, days: 0 });
    await sql`update ledger_balances set balance = 1 where org_id = 'org_sums' and account = 'wallet'`.execute(
      database.db,
    );
    await sql`delete from ledger_balances where org_id = 'org_sums' and account = 'cash'`.execute(
      database.db,
    );
    await sql`insert into ledger_balances values ('org_sums', 'tax', 5)`.execute(database.db);
    expect(await rebuildSums(database.db)).toEqual({ balances: 3, days: 0 });
    const balances = await readBalances(database.db, "org_sums");
    expect(balances).toMatchObject({ wallet: 650n, cash: -700n, revenue: 50n, tax: 0n });
  });

  it("is zero together, whatever is posted in whatever order and however often", async () => {
    const accounts = Object.keys(LEDGER_ACCOUNTS) as LedgerAccount[];
    const account = fc.constantFrom(...accounts);
    const posting = fc.record({
      source: fc.integer({ min: 0, max: 8 }),
      from: account,
      to: account,
      micros: fc.bigInt(1n, 10n ** 12n),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(posting, { maxLength: 12 }), async (postings) => {
        const orgId = `org_any_${++nr}`;
        for (const { source, from, to, micros } of postings)
          await write(orgId, from === to ? {} : { [from]: -micros, [to]: micros }, `any ${source}`);
        const balances = await readBalances(database.db, orgId);
        expect(accounts.reduce((sum, name) => sum + balances[name], 0n)).toBe(0n);
      }),
      { numRuns: 15 },
    );
    expect(await rebuildSums(database.db)).toEqual({ balances: 0, days: 0 });
  });
});
