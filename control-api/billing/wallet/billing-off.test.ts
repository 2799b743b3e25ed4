import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganization, type TestOrganization } from "../../../testkit/organization.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";
import { readBalances } from "../ledger/post.ts";
import { putLimit } from "../limits/store.ts";
import { AppCallMeter } from "../metering/app-calls.ts";

const SOON = { timeout: 60_000 };
const AT = "2026-01-01T00:00:00Z";
const METRICS = [
  "call_seconds",
  "stt_seconds",
  "tts_characters",
  "llm_input_tokens",
  "messages",
  "app_calls",
];

let webhooks: TestWebhooks;
let org: TestOrganization;
beforeAll(async () => {
  webhooks = await TestWebhooks.start({ env: { BILLING: "off" } });
  const { db } = webhooks.api.database;
  const about = { org_id: "", vendor: "", micros: 1_000_000n, per: 1n, from_at: AT, created_at: AT };
  await db
    .insertInto("prices")
    .values(METRICS.map((metric) => ({ ...about, id: `prc_${metric}`, metric })))
    .execute();
  org = await createOrganization(webhooks.api.database, {
    stt: [{ vendor: "deepgram" }],
    tts: [{ vendor: "elevenlabs" }],
  });
  const { orgId } = org;
  // Neither a limit that is reached nor a suspension of when billing was on stands in the way.
  await putLimit(db, {
    ...{ id: "lim_off", orgId, scope: "organization", scopeId: "", period: "day" },
    ...{ kind: "hard", amount: 0n, at: new Date(AT) },
  });
  await db
    .insertInto("billing_accounts")
    .values({ org_id: orgId, plan: "postpaid", state: "suspended", suspended_at: AT, created_at: AT })
    .execute();
});
afterAll(() => webhooks.close());

const begin = () =>
  webhooks.api.call("POST", "/api/sessions/init-web-call", {
    key: org.keys.owner,
    body: { agentId: org.agentId, identifier: "customer-7" },
  });

it("with billing off everything is counted at its price, nothing is charged, and no call is refused", async () => {
  const { orgId } = org;
  const { status, body } = await begin();
  expect(status).toBe(200);
  const { sessionId } = body.data as { sessionId: string };
  const happen = (event: Record<string, unknown>) => webhooks.happen(sessionId, orgId, event);
  await happen({ type: "call.started", nodeId: "nod_1", audio: "pcm_s16le" });
  const said = { type: "call.message", turn: 1, role: "assistant", text: "Hello", interrupted: false };
  await happen({ ...said, source: "speech" });
  await happen({
    type: "call.tokens_used",
    turn: 1,
    model: "m-1",
    isOwn: false,
    inputTokens: 7,
    outputTokens: 2,
  });
  await new AppCallMeter({ database: webhooks.api.database, clock: webhooks.clock }).count({
    orgId,
    appId: "app_1",
  });
  await happen({ type: "call.ended", reason: "hangup", status: "completed", durationSecs: 30 });
  const used = async () => {
    const rows = await webhooks.api.database.db
      .selectFrom("usage_rows")
      .select(["metric", "quantity", "amount"])
      .where("org_id", "=", orgId)
      .orderBy("metric")
      .execute();
    return rows.map(({ metric, quantity, amount }) => `${metric} ${quantity} ${BigInt(amount) / 1_000_000n}`);
  };
  await expect
    .poll(used, SOON)
    .toEqual([
      "app_calls 1 1",
      "call_seconds 30 30",
      "llm_input_tokens 7 7",
      "llm_output_tokens 2 0",
      "stt_seconds 30 30",
      "tts_characters 5 5",
    ]);
  expect(Object.values(await readBalances(webhooks.api.database.db, orgId)).every((sum) => sum === 0n)).toBe(
    true,
  );
  expect((await begin()).status).toBe(200);
});
