import type { Overview } from "@parley/shared/contracts/analytics.ts";
import { CALL_EVENTS_STREAM, PROJECTOR_GROUP } from "@parley/shared/contracts/call-events.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { keepCall } from "../../../testkit/kept-call.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { readOverview } from "./overview.ts";
import { bucketOf } from "./response-times.ts";

const DAY_MS = 86_400_000;
const metrics = {
  endOfTurnMs: 300,
  brainRequestMs: 0,
  brainFirstTokenMs: 200,
  firstClauseMs: 0,
  ttsFirstByteMs: 50,
  responseMs: 560,
};
const turn = (number: number) => ({
  afterMs: 10,
  event: { type: "call.turn_metrics", turn: number, metrics },
});

describe("the overview of an organization's calls", () => {
  let api: TestControlApi;
  let members: TestMembers;
  beforeAll(async () => {
    api = await TestControlApi.start();
    await api.registerNode({ maxCalls: 1_000 });
    members = await TestMembers.create(api);
  });
  afterAll(() => api.close());

  const overview = async (query = ""): Promise<Overview> => {
    const { orgId, people } = members;
    const path = `/api/orgs/${orgId}/analytics/overview${query}`;
    const { status, body } = await people.viewer.call("GET", path, undefined, orgId);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data as Overview;
  };
  const organization = () => ({ ...members, userId: "" });
  const begin = async (): Promise<string> => {
    const { body } = await api.call("POST", "/api/sessions/init-web-call", {
      key: members.keys.owner,
      body: { agentId: members.agentId },
    });
    return (body.data as { sessionId: string }).sessionId;
  };
  const tell = async (sessionId: string, ...events: readonly object[]): Promise<void> => {
    const about = { sessionId, orgId: members.orgId, at: new Date().toISOString() };
    for (const [seq, event] of events.entries())
      await api.bus.streams.append(
        CALL_EVENTS_STREAM,
        JSON.stringify({ id: newId("evt"), seq, ...about, ...event }),
      );
    await vi.waitUntil(
      async () => (await api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)) === 0,
      90_000,
    );
  };

  it("is empty at first, and says how far one has come", async () => {
    const empty = await overview();
    expect(empty).toMatchObject({
      live: 0,
      today: { calls: 0, answered: 0, failed: 0, responseP50Ms: null },
      agents: [],
      setup: { agents: 1, numbers: 0, hasTalked: false },
    });
    expect(empty.hours.length).toBeGreaterThanOrEqual(24);
  });

  it("counts no rehearsal, neither one that is being held nor one that is over", async () => {
    const held = async (events: readonly object[]) => {
      const sessionId = await begin();
      await api.database.db
        .updateTable("calls")
        .set({ channel: SIMULATION })
        .where("session_id", "=", sessionId)
        .execute();
      await tell(sessionId, { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le/16000" }, ...events);
      return sessionId;
    };
    await held([{ type: "call.ended", reason: "flow_end", status: "completed", durationSecs: 9 }]);
    const goingOn = await held([]);
    const seen = await overview();
    expect(seen).toMatchObject({ live: 0, today: { calls: 0, ended: 0, talkSecs: 0 }, agents: [] });
    expect(seen.setup.hasTalked).toBe(false);
    await tell(goingOn, { type: "call.ended", seq: 1, reason: "flow_end", status: "completed" });
  });

  it("counts calls that are over, those that go on, and each event once", async () => {
    await keepCall(api, organization(), { happened: [turn(1), turn(2)] });
    const failed = await begin();
    const end = { id: newId("evt"), type: "call.ended", reason: "internal_error", status: "failed" };
    await tell(failed, end);
    await tell(failed, end);
    await begin();
    const { live, today, dayBefore, agents, hours, setup } = await overview();
    expect(live).toBe(1);
    expect(today).toMatchObject({ calls: 3, ended: 2, answered: 1, failed: 1, talkSecs: 1, chats: 0 });
    expect(Math.abs((today.responseP50Ms ?? 0) - metrics.responseMs) / metrics.responseMs).toBeLessThan(0.1);
    expect(dayBefore.calls).toBe(0);
    expect(agents).toMatchObject([{ agentId: members.agentId, name: "Anna", calls: 3, live: 1 }]);
    expect(hours.reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
    expect(setup.hasTalked).toBe(true);
  });

  it("has them as the day before's, a day later", async () => {
    const now = new Date(Date.now() + DAY_MS);
    const since = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
    const later = await readOverview(api.database.db, members.orgId, { since, now });
    expect(later.today.calls).toBe(0);
    expect(later.dayBefore).toMatchObject({ calls: 3, answered: 1, failed: 1 });
  });

  it("is another organization's own, and takes no day that is long over", async () => {
    const { stranger, people, orgId } = members;
    const path = (id: string) => `/api/orgs/${id}/analytics/overview`;
    const own = await stranger.person.call("GET", path(stranger.orgId), undefined, stranger.orgId);
    expect((own.body.data as Overview).today.calls).toBe(0);
    const other = await stranger.person.call("GET", path(orgId), undefined, orgId);
    expect(other.status).toBe(403);
    const old = `${path(orgId)}?since=2020-01-01T00:00:00Z`;
    expect((await people.owner.call("GET", old, undefined, orgId)).status).toBe(400);
  });

  it("counts calls from before there were counts as it counts new ones", async () => {
    for (const ms of [0, 1, 49, 50, 51, 55, 56, 560, 9_999, 60_000]) {
      const { rows } = await sql<{ bucket: number }>`
        select greatest(0, ceil(ln(greatest(${ms}::int, 1) / 50.0) / ln(1.1)))::int as bucket`.execute(
        api.database.db,
      );
      expect(rows[0]?.bucket, `${ms} ms`).toBe(bucketOf(ms));
    }
  });
});
