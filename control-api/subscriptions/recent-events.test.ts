import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lentDatabase } from "../../testkit/lent-database.ts";
import type { Databases } from "../database/open.ts";
import { RecentEvents } from "./recent-events.ts";
import { appendToFeed, readNext } from "./store.ts";

const about = { orgId: "org_1", sessionId: "ses_1", at: "2026-11-22T10:00:00.000Z" };
const TYPES = ["call.dtmf"];
const RECORDED_AT = new Date(about.at);

let databases: Databases;
beforeAll(async () => {
  databases = await lentDatabase();
});
afterAll(() => databases.close());

function key(id: string, digit: "1" | "2" = "1"): CallEvent {
  return { ...about, id, seq: 0, type: "call.dtmf", digit };
}

/** Stores events with these bodies; returns the position of the last one. */
function record(events: readonly CallEvent[], bodyOf: (event: CallEvent) => object): Promise<number> {
  return databases.db.transaction().execute(async (trx) => {
    const rows = events.map((event) => {
      const { id, sessionId, orgId, seq, type, at } = event;
      const body = JSON.stringify(bodyOf(event));
      return { id, session_id: sessionId, org_id: orgId, seq, type, at, body };
    });
    await trx.insertInto("call_events").values(rows).execute();
    return appendToFeed(trx, events, RECORDED_AT);
  });
}

it("are taken as they are known, but for those that were erased, and for others that have their positions now", async () => {
  const recent = new RecentEvents();
  const [known, erased, other] = [key("evt_known"), key("evt_erased"), key("evt_other")];
  const last = await record([known, erased, other], ({ id }) => (id === "evt_erased" ? {} : key(id, "2")));
  recent.add([known, erased, key("evt_of_another_database")], last);
  const from = { position: last - 3, head: last };
  const next = await readNext(databases.db, from, { types: TYPES, limit: 10, known: recent.after(last - 3) });
  expect(next.events.map(({ event }) => event)).toEqual([known, key("evt_other", "2")]);
  expect(next.position).toBe(last);
});

it("are the newest, and none once they are cleared", () => {
  const recent = new RecentEvents();
  const events = Array.from({ length: 700 }, (_, i) => key(`evt_${i}`));
  recent.add(events, 1_000);
  expect(recent.after(0).size).toBe(600);
  expect(recent.after(0).get(1_000)?.id).toBe("evt_699");
  expect([...recent.after(998).keys()]).toEqual([999, 1_000]);
  recent.clear();
  expect(recent.after(0).size).toBe(0);
});
