import { CALL_EVENTS_STREAM, PROJECTOR_GROUP } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AwayBus } from "../../../testkit/away-bus.ts";
import { TestChats } from "../../../testkit/chat.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { keepCall } from "../../../testkit/kept-call.ts";
import { memberOnly } from "../../../testkit/members.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { TestPerson } from "../../../testkit/person.ts";

const TOOL = {
  type: "call.tool_invoked",
  turn: 1,
  name: "order_lookup",
  arguments: { order: "7" },
  result: { state: "sent" },
  status: "success",
  latencyMs: 12,
};

const away = new AwayBus();
let api: TestControlApi;
let acme: TestOrganization;
let viewer: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start({ bus: away.bus, allowPrivateTargets: ["127.0.0.0/8"] });
  await api.registerNode({ maxCalls: 1_000 });
  acme = await api.createOrganization();
  viewer = await memberOnly(api, acme.orgId, "viewer");
});
afterAll(() => api.close());

/** As a member who may only view. */
const read = (path: string) => viewer.call("GET", `/api/sessions/${path}`, undefined, acme.orgId);
async function dataOf<T>(path: string): Promise<T> {
  const answer = await read(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data as T;
}
interface Messages {
  readonly messages: { role: string; text: string; seq: number; offsetMs: number }[];
  readonly nextAfter: number | null;
}

describe("reading a session", () => {
  it("gives what the call was, its recording and whose it is, without what was said", async () => {
    const call = await keepCall(api, acme, { happened: [{ afterMs: 400, event: TOOL }] });
    const session = await dataOf<Record<string, unknown>>(call.sessionId);
    expect(session).toMatchObject({
      sessionId: call.sessionId,
      status: "completed",
      channel: "web_chat",
      userId: acme.userId,
      durationSecs: 1,
      recording: { id: call.recordingId, url: expect.stringContaining("signature=") },
    });
    expect(session).not.toHaveProperty("transcript");
    expect(session).not.toHaveProperty("tools");
  });

  it("gives who said what and when since the answer, in order and in pages", async () => {
    const message = (text: string) => ({
      type: "call.message",
      turn: 1,
      role: "assistant",
      text,
      interrupted: true,
      source: "brain",
    });
    const call = await keepCall(api, acme, {
      said: ["one", "two"],
      happened: [{ afterMs: 1_234, event: message("three, and") }],
    });
    const first = await dataOf<Messages>(`${call.sessionId}/messages?limit=2`);
    expect(first.messages).toMatchObject([
      { role: "user", text: "one", offsetMs: 0 },
      { role: "user", text: "two", offsetMs: 0 },
    ]);
    const rest = await dataOf<Messages>(`${call.sessionId}/messages?limit=2&after=${first.nextAfter}`);
    expect(rest).toMatchObject({
      messages: [{ role: "assistant", text: "three, and", offsetMs: 1_234, interrupted: true }],
      nextAfter: null,
    });
  });

  it("gives the tools that were used, with what went in and came out, in order and in pages", async () => {
    const used = ["first", "second"].map((name, index) => ({
      afterMs: 100 * (index + 1),
      event: { ...TOOL, name },
    }));
    const { sessionId } = await keepCall(api, acme, { happened: used });
    const first = await dataOf<{ nextAfter: number }>(`${sessionId}/tool-invocations?limit=1`);
    expect(first).toMatchObject({
      toolInvocations: [
        {
          name: "first",
          arguments: { order: "7" },
          result: { state: "sent" },
          status: "success",
          durationMs: 12,
          offsetMs: 100,
        },
      ],
    });
    const second = await dataOf(`${sessionId}/tool-invocations?after=${first.nextAfter}`);
    expect(second).toMatchObject({ toolInvocations: [{ name: "second", offsetMs: 200 }], nextAfter: null });
  });

  it("shows a call that goes on, with what was said so far", async () => {
    const { body } = await api.call("POST", "/api/sessions/init-web-call", {
      key: acme.keys.owner,
      body: { agentId: acme.agentId },
    });
    const { sessionId } = body.data as { sessionId: string };
    expect(await dataOf(sessionId)).toMatchObject({ status: "queued", endTime: null, recording: null });
    expect(await dataOf(`${sessionId}/messages`)).toEqual({ sessionId, messages: [], nextAfter: null });
    const at = new Date().toISOString();
    const about = { sessionId, orgId: acme.orgId, at };
    const said = { type: "call.message", turn: 1, role: "user", text: "so far", interrupted: false };
    for (const [seq, event] of [
      { type: "call.started", nodeId: "nod_1", audio: "pcm_s16le/16000" },
      { ...said, source: "speech" },
    ].entries()) {
      const full = JSON.stringify({ id: newId("evt"), seq, ...about, ...event });
      await api.bus.streams.append(CALL_EVENTS_STREAM, full);
    }
    await expect.poll(() => api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)).toBe(0);
    expect(await dataOf(sessionId)).toMatchObject({ status: "in-progress", startTime: at });
    expect(await dataOf(`${sessionId}/messages`)).toMatchObject({ messages: [{ text: "so far" }] });
  });

  it("shows a chat's last turn and its tools at once, though nothing of them is recorded yet", async () => {
    const chats = await TestChats.start(api, (turn) => {
      turn.control({ event: "tool", ...TOOL });
      turn.token("It was sent.");
      turn.done();
    });
    away.isAway = true;
    const { sessionId } = await chats.say("Where is order 7?");
    const { orgId } = chats.organization;
    const reader = await memberOnly(api, orgId, "viewer");
    const dataOf = async <T>(path: string): Promise<T> =>
      (await reader.call("GET", `/api/sessions/${path}`, undefined, orgId)).body.data as T;
    const { messages } = await dataOf<Messages>(`${sessionId}/messages`);
    expect(messages.map(({ role, text }) => [role, text])).toEqual([
      ["user", "Where is order 7?"],
      ["assistant", "It was sent."],
    ]);
    expect(new Set(messages.map(({ seq }) => seq)).size).toBe(2);
    const page = await dataOf<Messages>(`${sessionId}/messages?limit=1&after=${messages[0]?.seq}`);
    expect(page.messages).toMatchObject([{ text: "It was sent." }]);
    expect(await dataOf(`${sessionId}/tool-invocations`)).toMatchObject({
      toolInvocations: [{ name: "order_lookup", durationMs: 12 }],
    });
    away.isAway = false;
    chats.close();
  });

  it("of another organization is a 404, and with an API key a 401", async () => {
    const { sessionId } = await keepCall(api, acme);
    const stranger = await TestPerson.register(api);
    for (const path of [sessionId, `${sessionId}/messages`, `${sessionId}/tool-invocations`]) {
      expect(await stranger.call("GET", `/api/sessions/${path}`)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
      const withKey = await api.call("GET", `/api/sessions/${path}`, { key: acme.keys.owner });
      expect(withKey).toMatchObject({ status: 401, body: { code: "unauthorized" } });
      expect(withKey.body.error).toContain("access token");
    }
  });

  it.each(["?limit=0", "?limit=501", "?limit=x", "?after=-2", "?after=99999999999"])(
    "with %s is refused",
    async (query) => {
      expect((await read(`ses_none/messages${query}`)).status).toBe(400);
    },
  );
});
