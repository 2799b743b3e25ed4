import { rm } from "node:fs/promises";
import { readBalances } from "@parley/control-api/billing/ledger/post.ts";
import { putLimit } from "@parley/control-api/billing/limits/store.ts";
import { giveCredit } from "@parley/control-api/billing/wallet/credit.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestBrain } from "../testkit/brain.ts";
import { TestCaller } from "../testkit/caller.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { createOrganization } from "../testkit/organization.ts";

const SOON = { timeout: 90_000 };
const AT = new Date("2026-01-01T00:00:00Z");
/** A dollar a character that is spoken: one answer is far beyond what the call has. */
const DOLLAR = 1_000_000n;

let api: TestControlApi;
let gateway: TestGateway;
let brain: TestBrain;
beforeAll(async () => {
  api = await TestControlApi.start({ env: { BILLING: "on" }, allowPrivateTargets: ["127.0.0.0/8"] });
  gateway = await TestGateway.start({ bus: api.bus, keys: api.keys });
  brain = await TestBrain.saying("I hear you.");
  const about = { org_id: "", vendor: "", per: 1n, from_at: AT, created_at: AT };
  await api.database.db
    .insertInto("prices")
    .values([
      { ...about, id: "prc_1", metric: "tts_characters", micros: DOLLAR },
      { ...about, id: "prc_2", metric: "call_seconds", micros: 1n },
    ])
    .execute();
});
afterAll(async () => {
  brain.close();
  await gateway.gateway.close();
  await api.close();
  await rm(gateway.dataDir, { recursive: true, force: true });
});

it("a live call outlives the limit and the balance that it uses up: it is answered until its caller hangs up, and no call after it begins", async () => {
  const { orgId, agentId, keys } = await createOrganization(api.database, {
    brain: { url: brain.url },
    firstResponse: "Hello!",
    silence: { promptAfterMs: 0, hangupAfterMs: 0 },
    recording: false,
  });
  await giveCredit(api.database, { orgId, amount: 5n * DOLLAR, source: "welcome", at: AT });
  await putLimit(api.database.db, {
    ...{ id: "lim_live", orgId, scope: "organization", scopeId: "", period: "day" },
    ...{ kind: "hard", amount: 5n * DOLLAR, at: AT },
  });
  const begin = () => api.call("POST", "/api/sessions/init-web-call", { key: keys.owner, body: { agentId } });
  const { websocketUrl, sessionId } = (await begin()).body.data as Record<string, string>;
  const caller = await TestCaller.start(String(websocketUrl), { acknowledges: true });
  expect((await caller.said("assistant")).text).toBe("Hello!");
  const wallet = async () => (await readBalances(api.database.db, orgId)).wallet;
  await expect.poll(wallet, SOON).toBeLessThan(0n);
  const refused = await begin();
  expect(refused).toMatchObject({ status: 402, body: { code: "spending_limit_reached" } });

  caller.send({ type: "text", text: "Are you still there?" });
  expect((await caller.said("assistant")).text).toBe("I hear you.");
  expect(caller.closed).toBeUndefined();
  caller.send({ type: "hangup" });
  expect(await caller.next("ended")).toMatchObject({ reason: "hangup" });
  const record = async () => (await api.call("GET", `/api/v1/calls/${sessionId}`, { key: keys.owner })).body;
  await expect.poll(async () => (await record()).status, SOON).toBe("completed");
  await expect.poll(wallet, SOON).toBeLessThan(-11n * DOLLAR);
  expect(await readBalances(api.database.db, orgId)).toMatchObject({ held: 0n });
});
