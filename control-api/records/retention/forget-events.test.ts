import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordedEvents } from "../../../testkit/call-events.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { eraseContent } from "../../../testkit/erase-content.ts";
import { type KeptCall, keepCall } from "../../../testkit/kept-call.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { applyEvents } from "../projector/apply-events.ts";
import { forgetEvents } from "./forget-events.ts";

const DAY_MS = 86_400_000;

let api: TestControlApi;
let acme: TestOrganization;
beforeAll(async () => {
  api = await TestControlApi.start();
  await api.registerNode({ maxCalls: 1_000 });
  acme = await api.createOrganization();
});
afterAll(() => api.close());

const inDays = (days: number): number => Date.now() + days * DAY_MS;
/** A round of the job, `days` from now. */
const forgetIn = (days: number, goesOn?: () => boolean): Promise<void> =>
  forgetEvents({ database: api.database, clock: new ManualClock(inDays(days)) }, goesOn);
/** What the event projector does with events that come `days` from now. */
const comeIn = (days: number, events: readonly CallEvent[]) =>
  api.database.db.transaction().execute((trx) => applyEvents(trx, events, { now: new Date(inDays(days)) }));
const idsOf = async ({ sessionId }: KeptCall): Promise<string[]> => {
  const events = api.database.db.selectFrom("call_events").select("id").where("session_id", "=", sessionId);
  return (await events.execute()).map(({ id }) => id);
};
const recordOf = async ({ sessionId }: KeptCall) =>
  (await api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer })).body;
const erase = async ({ sessionId }: KeptCall): Promise<void> => {
  const path = `/api/orgs/${acme.orgId}/calls/${sessionId}/content`;
  expect((await api.call("DELETE", path, { key: acme.keys.owner })).status).toBe(200);
};
async function erasedCall(): Promise<{ call: KeptCall; events: CallEvent[] }> {
  const call = await keepCall(api, acme);
  const events = await recordedEvents(api.database, call.sessionId);
  await erase(call);
  return { call, events };
}

describe("the events of a call whose content was deleted", () => {
  it("are forgotten eight days later, and the call's own record stays as it was", async () => {
    const { call, events } = await erasedCall();
    const before = await recordOf(call);
    await forgetIn(7);
    expect(await idsOf(call)).toHaveLength(events.length);
    await forgetIn(9);
    expect(await idsOf(call)).toEqual([]);
    expect(await recordOf(call)).toEqual(before);
  });

  it("change nothing when they come again, whether they are still recognized or forgotten", async () => {
    const { call, events } = await erasedCall();
    const before = await recordOf(call);
    expect(await comeIn(6, events)).toEqual({ recorded: [], waiting: [] });
    // A week later they are no longer looked up: a day before the first of them are deleted.
    expect(await comeIn(7.5, events)).toEqual({ recorded: [], waiting: [] });
    await forgetIn(9);
    expect(await comeIn(9, events)).toEqual({ recorded: [], waiting: [] });
    expect(await idsOf(call)).toEqual([]);
    expect(await recordOf(call)).toEqual(before);
  });

  it("stay forgotten when its person is erased afterwards", async () => {
    const { call, events } = await erasedCall();
    await forgetIn(9);
    await api.database.db
      .transaction()
      .execute((trx) => eraseContent(trx, { sessionIds: [call.sessionId], at: new Date(inDays(9)) }));
    expect(await comeIn(9, events)).toEqual({ recorded: [], waiting: [] });
  });

  it("leave a recording that turns up years later to the reaper", async () => {
    const { call, events } = await erasedCall();
    await forgetIn(9);
    const [told] = events.filter((event) => event.type === "recording.ready");
    if (!told) throw new Error("the call has no recording");
    const late = { ...told, id: newId("evt"), recordingId: newId("rec") };
    await comeIn(700, [late]);
    const { deleted_at } = await api.database.db
      .selectFrom("recordings")
      .select("deleted_at")
      .where("id", "=", late.recordingId)
      .executeTakeFirstOrThrow();
    expect(deleted_at).not.toBeNull();
    expect(await idsOf(call)).toEqual([]);
  });

  it("stay while it is kept, and in the week after it was deleted", async () => {
    const kept = await keepCall(api, acme);
    const recent = await erasedCall();
    await forgetIn(2);
    expect(await idsOf(kept)).not.toEqual([]);
    expect(await idsOf(recent.call)).toHaveLength(recent.events.length);
    await forgetIn(400);
    expect(await idsOf(kept)).not.toEqual([]);
  });

  it("are forgotten in steps, of which each begins where the last one ended, also among calls deleted at once", async () => {
    const { call } = await erasedCall();
    const count = 250;
    await sql`
      with copied as (
        insert into calls select (jsonb_populate_record(c, jsonb_build_object(
          'id', 'cal_many_' || n, 'session_id', 'ses_many_' || n, 'content_deleted_at', now() + interval '1 second'))).*
        from calls c, generate_series(1, ${count}::int) n where c.session_id = ${call.sessionId} returning session_id
      )
      insert into call_events (id, session_id, org_id, seq, type, at, body)
      select 'evt_' || session_id, session_id, ${acme.orgId}, 1, 'call.dtmf', now(), '{}' from copied`.execute(
      api.database.db,
    );
    const left = async (): Promise<number> => {
      const { rows } = await sql<{ left: number }>`
        select count(*)::int as left from call_events where session_id like 'ses_many_%'`.execute(
        api.database.db,
      );
      return rows[0]?.left ?? 0;
    };
    let steps = 0;
    await forgetIn(9, () => steps++ < 2);
    expect(await left()).toBeLessThan(count);
    expect(await left()).toBeGreaterThan(0);
    await forgetIn(9);
    expect(await left()).toBe(0);
  });
});
