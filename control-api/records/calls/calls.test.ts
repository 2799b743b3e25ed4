import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { type KeptCall, keepCall } from "../../../testkit/kept-call.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";

let api: TestControlApi;
let acme: TestOrganization;
let receiver: TestReceiver;
const calls: KeptCall[] = [];
const TEXTS = ["I want a table", "Is it 100% vegan?", "Goodbye"];

beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true, allowPrivateTargets: ["127.0.0.0/8"] });
  await api.registerNode({ maxCalls: 1_000 });
  acme = await api.createOrganization();
  receiver = await TestReceiver.answering(200);
  const body = { url: receiver.url, events: ["transcript.ready"] };
  await api.call("POST", `/api/orgs/${acme.orgId}/webhooks`, { key: acme.keys.owner, body });
  for (const text of TEXTS) calls.push(await keepCall(api, acme, { said: [text] }));
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});

const read = async (path: string) =>
  (await api.call("GET", `/api/orgs/${acme.orgId}/calls${path}`, { key: acme.keys.viewer })).body;
/** Which of the calls a query finds, by their number. */
async function found(query: string): Promise<number[]> {
  const { data } = await read(query);
  const ids = (data as { calls: { sessionId: string }[] }).calls.map(({ sessionId }) => sessionId);
  return ids.map((id) => calls.findIndex(({ sessionId }) => sessionId === id));
}

describe("the list of calls", () => {
  it.each([
    ["", [2, 1, 0]],
    ["?status=completed", [2, 1, 0]],
    ["?status=failed", []],
    ["?direction=web&channel=web_chat", [2, 1, 0]],
    ["?direction=outbound", []],
    ["?agentId=agt_none", []],
    ["?userId=usr_none", []],
    ["?number=%2B15550001111", []],
    ["?live=true", []],
    ["?text=TABLE", [0]],
    ["?text=100%25", [1]],
    ["?text=%25%25", []],
    ["?from=2020-01-01T00:00:00Z", [2, 1, 0]],
    ["?to=2020-01-01T00:00:00Z", []],
  ])("with %s has the calls %j", async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it("has those of a number or a part of it, whoever of the two it called or was called by", async () => {
    const SOMEBODY = "+12025550101";
    for (const [index, numbers] of [
      [0, { from_number: SOMEBODY, to_number: "+12025550102" }],
      [1, { from_number: "+12025550102", to_number: SOMEBODY }],
    ] as const)
      await api.database.db
        .updateTable("calls")
        .set(numbers)
        .where("session_id", "=", calls[index]?.sessionId ?? "")
        .execute();
    expect(await found(`?number=${encodeURIComponent(SOMEBODY)}`)).toEqual([1, 0]);
    expect(await found("?number=555010")).toEqual([1, 0]);
    expect(await found(`?number=${encodeURIComponent("(202) 555-0102")}`)).toEqual([1, 0]);
    expect(await found("?number=5550102&limit=1")).toEqual([1]);
    expect(await found("?number=5550199")).toEqual([]);
  });

  it("has those of an agent, a member, or a time, and no others", async () => {
    const { agentId, userId } = acme;
    expect(await found(`?agentId=${agentId}&userId=${userId}`)).toEqual([2, 1, 0]);
    const at = new Date("2026-01-02T03:04:05Z");
    await api.database.db
      .updateTable("calls")
      .set({ created_at: at })
      .where("session_id", "=", calls[1]?.sessionId ?? "")
      .execute();
    const [from, to] = [at.toISOString(), new Date(at.getTime() + 1).toISOString()];
    expect(await found(`?from=${from}&to=${to}`)).toEqual([1]);
    expect(await found(`?to=${from}`)).toEqual([]);
    expect(await found(`?from=${from}&limit=2`)).toEqual([2, 0]);
    const last = (await read(`?from=${from}&limit=2`)).data as { nextBefore: string };
    expect(await found(`?from=${from}&before=${last.nextBefore}`)).toEqual([1]);
  });

  it("goes on from another organization's call as from one that is gone: when that was stays unknown", async () => {
    const other = await api.createOrganization();
    const { sessionId } = await keepCall(api, other, { said: ["Hello"] });
    const { id } = await api.database.db
      .updateTable("calls")
      .set({ created_at: new Date("2000-01-01T00:00:00Z") })
      .where("session_id", "=", sessionId)
      .returning("id")
      .executeTakeFirstOrThrow();
    expect(await found(`?from=1999-01-01T00:00:00Z&before=${id}`)).toEqual([2, 0, 1]);
  });

  it("refuses a time that no database knows, in words", async () => {
    for (const time of ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"])
      for (const name of ["from", "to"])
        expect(await read(`?${name}=${time}`)).toMatchObject({
          code: "validation_failed",
          error: expect.stringContaining("a time in the years 1 to 9999"),
        });
  });

  it("has one session's call, or those of several at once", async () => {
    const [first, second, third] = calls.map(({ sessionId }) => sessionId);
    expect(await found(`?sessionId=${second}`)).toEqual([1]);
    expect(await found(`?sessionId=${first},ses_none,${third}`)).toEqual([2, 0]);
    const many = Array.from({ length: 101 }, () => first).join();
    for (const wrong of ["", ",", `${first},`, many])
      expect((await read(`?sessionId=${wrong}`)).code).toBe("validation_failed");
  });

  it("has those under way, text chats aside", async () => {
    const busy = await api.createOrganization();
    const under = async (query: string) => {
      const path = `/api/orgs/${busy.orgId}/calls${query}`;
      const { data } = (await api.call("GET", path, { key: busy.keys.viewer })).body;
      return (data as { calls: { sessionId: string }[] }).calls.map(({ sessionId }) => sessionId);
    };
    const { body } = await api.call("POST", "/api/sessions/init-web-call", {
      key: busy.keys.owner,
      body: { agentId: busy.agentId },
    });
    await keepCall(api, busy, { said: ["It was"] });
    const { sessionId } = body.data as { sessionId: string };
    expect(await under("?live=true")).toEqual([sessionId]);
    await api.database.db
      .updateTable("calls")
      .set({ channel: "chat" })
      .where("session_id", "=", sessionId)
      .execute();
    expect(await under("?live=true")).toEqual([]);
    expect(await under("")).toHaveLength(2);
  });

  it("comes in pages", async () => {
    const first = (await read("?limit=2")).data as { calls: object[]; nextBefore: string };
    expect(first.calls).toHaveLength(2);
    expect(await found(`?limit=2&before=${first.nextBefore}`)).toEqual([0]);
  });

  it("is the organization's own", async () => {
    const other = await api.createOrganization();
    const path = `/api/orgs/${other.orgId}/calls`;
    const { body } = await api.call("GET", path, { key: other.keys.viewer });
    expect(body.data).toEqual({ calls: [], nextBefore: null });
  });
});

describe("one call", () => {
  it("has what was said, its recording and the webhooks that told of it", async () => {
    const { data } = await read(`/${calls[0]?.sessionId}`);
    expect(data).toMatchObject({
      transcript: [{ text: "I want a table" }],
      recording: { id: calls[0]?.recordingId, url: expect.stringContaining("/api/public/recordings/") },
      deliveries: [{ event: "transcript.ready", endpointId: expect.stringMatching(/^whk_/) }],
    });
    expect((await read("/cal_none")).code).toBe("not_found");
  });

  const note = (id: string, notes: string, role: "developer" | "member" = "developer") =>
    api.call("PATCH", `/api/orgs/${acme.orgId}/calls/${id}`, { key: acme.keys[role], body: { notes } });

  it("has the notes that were written about it last, without what the PII policy masks", async () => {
    const { sessionId = "" } = calls[1] ?? {};
    expect((await read(`/${sessionId}`)).data).toMatchObject({ notes: "" });
    const written = await note(sessionId, "Calls back on Monday.\nPaid with 4111 1111 1111 1111.");
    const kept = "Calls back on Monday.\nPaid with [card_number].";
    expect(written).toMatchObject({ status: 200, body: { data: { sessionId, notes: kept } } });
    expect((await read(`/${sessionId}`)).data).toMatchObject({ notes: kept });
    expect((await note(sessionId, "")).status).toBe(200);
    expect((await read(`/${sessionId}`)).data).toMatchObject({ notes: "" });
  });

  it("keeps notes that are there under legal hold", async () => {
    const { sessionId } = await keepCall(api, acme, { said: ["Hello"] });
    const hold = (legal_hold: boolean) =>
      api.database.db.updateTable("organizations").set({ legal_hold }).where("id", "=", acme.orgId).execute();
    await hold(true);
    expect((await note(sessionId, "Promised a refund.")).status).toBe(200);
    const refused = await note(sessionId, "");
    await hold(false);
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining("legal hold") } });
    expect((await read(`/${sessionId}`)).data).toMatchObject({ notes: "Promised a refund." });
  });

  it.each([
    ["more than 10,000 characters", () => note(calls[1]?.sessionId ?? "", "x".repeat(10_001)), 400],
    ["a call of nobody's", () => note("ses_none", "Hello"), 404],
    ["a role that may only read", () => note(calls[1]?.sessionId ?? "", "Hello", "member"), 403],
  ])("takes no notes with %s", async (_what, write, status) => {
    expect((await write()).status).toBe(status);
  });

  it("has what happened in it besides words", async () => {
    const { sessionId } = await keepCall(api, acme, {
      happened: [
        { afterMs: 500, event: { type: "call.dtmf", digit: "#" } },
        { afterMs: 600, event: { type: "call.transfer_requested", to: "+12025550142" } },
      ],
    });
    const { data } = await read(`/${sessionId}`);
    const { events, legalHold, contentDeletedAt } = data as CallDetail;
    expect(events.map(({ type, about }) => [type, about])).toEqual([
      ["call.started", null],
      ["call.dtmf", "#"],
      ["call.transfer_requested", "+12025550142"],
      ["recording.ready", null],
      ["call.ended", "hangup"],
    ]);
    expect({ legalHold, contentDeletedAt }).toEqual({ legalHold: false, contentDeletedAt: null });
  });

  it("tells no more of what happened in it once that was deleted", async () => {
    const { sessionId } = await keepCall(api, acme, {
      happened: [{ afterMs: 500, event: { type: "call.dtmf", digit: "7" } }],
    });
    const path = `/api/orgs/${acme.orgId}/calls/${sessionId}/content`;
    expect((await api.call("DELETE", path, { key: acme.keys.owner })).status).toBe(200);
    const { events, contentDeletedAt } = (await read(`/${sessionId}`)).data as CallDetail;
    expect(new Set(events.map(({ about }) => about))).toEqual(new Set([null]));
    expect(contentDeletedAt).not.toBeNull();
  });
});
