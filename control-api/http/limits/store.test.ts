import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { lentDatabase } from "../../../testkit/lent-database.ts";
import { takeSliding } from "./store.ts";

it("refuses although the limit is cleared right behind the refusal", async () => {
  const database = await lentDatabase();
  onTestFinished(() => database.close());
  const at = new Date();
  const since = new Date(at.getTime() - 60_000);
  const window = { at, since, max: 1, resetsAt: new Date(at.getTime() + 60_000) };
  expect(await takeSliding(database, "key", window)).toBeUndefined();
  expect(await takeSliding(database, "key", window)).toEqual({ oldest: at });
  await sql`create function clear() returns trigger language plpgsql as $$
    begin delete from rate_limits; return null; end $$`.execute(database.db);
  await sql`create trigger clear after insert on rate_limits
    for each statement execute function clear()`.execute(database.db);
  expect(await takeSliding(database, "key", window)).toEqual({ oldest: since });
});
