import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { agree, bundleOf, installApp, publishZip, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { type FakeChat, startFakeChat } from "../../../testkit/fakes/chat-completions.ts";
import { memberOnly } from "../../../testkit/members.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { RECHECK_MS } from "../bridge/deps.ts";

const SOON = { timeout: 90_000 };
const ACCESS_TOKEN_MS = 15 * 60_000;
const request = { tier: "smart", maxTokens: 50, messages: [{ role: "user", content: "What is a table?" }] };

/** An answer that begins, and does not go on. */
const begun = (then: "stall" = "stall") => ({ text: "A thing", then });

let fake: FakeChat;
let api: TestControlApi;
let owner: TestPerson;
const clock = new ManualClock(Date.now());
beforeAll(async () => {
  fake = await startFakeChat({ model: () => begun(), apiKey: "sk-operator" });
  api = await TestControlApi.start({
    clock,
    env: { OPENAI_BASE_URL: fake.url, OPENAI_API_KEY: "sk-operator" },
  });
  owner = await TestPerson.register(api);
  const brain = { kind: "model", model: "m-1", prompt: "Be brief." };
  await owner.call("POST", "/api/agents", { name: "Front desk", brain });
});
afterAll(async () => {
  await api.close();
  fake.close();
});

/** An answer that has begun in a person's frame of an app of its own, and goes on. */
async function answering(person: TestPerson, id: string, before: () => void = () => undefined) {
  const scopes = ["ai:llm", "objects:note"];
  const appId = await installApp(owner, { id, scopes });
  before();
  const bridge = await TestBridge.open(person, appId, owner.orgId);
  const abandonedBefore = fake.abandoned();
  const stop = new AbortController();
  let heard = 0;
  let end: unknown;
  const answer = bridge
    .stream("ai.llmStream", { request }, { onEvent: () => heard++, signal: stop.signal })
    .catch((error: unknown) => {
      end = error;
    });
  await vi.waitFor(() => expect(heard).toBe(2), SOON);
  return {
    appId,
    scopes,
    bridge,
    ended: () => end,
    isModelAsked: () => fake.abandoned() === abandonedBefore,
    finish: async () => {
      stop.abort();
      await answer;
    },
  };
}

const usage = () =>
  api.database.db
    .selectFrom("usage_rows")
    .selectAll()
    .where("metric", "like", "llm_%")
    .where("org_id", "=", owner.orgId)
    .execute();

describe("an answer that streams", () => {
  it("ends when its app is uninstalled, at the model, too, and what was written is charged", async () => {
    const before = (await usage()).length;
    const answer = await answering(owner, "gone");
    const path = `/api/orgs/${owner.orgId}/apps/${answer.appId}/install`;
    expect((await owner.call("DELETE", path)).status).toBe(200);
    clock.advance(RECHECK_MS);
    await vi.waitFor(() => expect(answer.ended()).toMatchObject({ code: "app_gone" }), SOON);
    await vi.waitFor(() => expect(answer.isModelAsked()).toBe(false), SOON);
    await vi.waitFor(async () => expect((await usage()).length - before).toBe(2), SOON);
  });

  it("goes on when its app gets another version, and ends when its own is withdrawn", async () => {
    const answer = await answering(owner, "renewed");
    const next = { id: "renewed", version: "2.0.0", scopes: answer.scopes };
    expect((await publishZip(owner, bundleOf(next))).status).toBe(201);
    await agree(owner, answer.appId, next);
    clock.advance(RECHECK_MS);
    await answer.bridge.call("data.list", { type: "note" });
    expect(answer.ended()).toBeUndefined();
    const withdrawn = await owner.call(
      "POST",
      `/api/orgs/${owner.orgId}/apps/${answer.appId}/versions/1.0.0/withdraw`,
      {},
    );
    expect(withdrawn.text).toContain("true");
    clock.advance(RECHECK_MS);
    await vi.waitFor(() => expect(answer.ended()).toMatchObject({ code: "app_gone" }), SOON);
  });

  it("goes on when the access token that it was asked with expires, and ends when its member is removed", async () => {
    const person = await memberOnly(api, owner.orgId, "member");
    const answer = await answering(person, "expiring", () => clock.advance(ACCESS_TOKEN_MS - 60_000));
    clock.advance(60_000);
    expect((await person.call("GET", "/api/auth/me")).body.code).toBe("token_expired");
    const { tokens } = (await owner.logIn()).body.data as { tokens: { accessToken: string } };
    owner.accessToken = tokens.accessToken;
    expect(answer.ended()).toBeUndefined();
    const path = `/api/orgs/${owner.orgId}/members/${person.userId}`;
    expect((await owner.call("DELETE", path)).status).toBe(200);
    clock.advance(RECHECK_MS);
    await vi.waitFor(() => expect(answer.ended()).toMatchObject({ code: "role_forbidden" }), SOON);
  });
});
