import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectAccount, dials } from "../../testkit/carrier-account.ts";
import type { FakeCarrier } from "../../testkit/fakes/carriers/fake-carrier.ts";
import { startFakeTwilio, TWILIO_ACCOUNT } from "../../testkit/fakes/carriers/twilio.ts";
import { needs } from "../../testkit/needs.ts";
import { freePort } from "../../testkit/redis.ts";
import type { ServerProcess } from "../../testkit/server-process.ts";
import { Installation } from "./support/installation.ts";
import { DRILL } from "./support/sizes.ts";

const SOON = { timeout: 90_000 };
const FROM = "+12025550123";
const secretsKey = `test:${randomBytes(32).toString("base64")}`;

describe.runIf(needs("redis") && needs("postgres"))("A control API killed while it dials", () => {
  let parley: Installation;
  let fake: FakeCarrier;
  let env: Record<string, string>;
  let api: ServerProcess;
  let asked = 0;
  beforeAll(async () => {
    fake = await startFakeTwilio();
    parley = await Installation.start();
    // Callbacks reach whoever is there in the place of the one that was killed.
    const port = String(await freePort());
    env = { CONTROL_API_PORT: port, TWILIO_API_URL: fake.url, SECRETS_KEY: secretsKey };
    api = await parley.startControlApi(env);
    await parley.startGateway();
    const { orgId } = parley;
    const account = { carrier: "twilio", credentials: TWILIO_ACCOUNT, number: FROM } as const;
    await connectAccount(parley.database, { orgId, secretsKey, ...account });
  });
  beforeEach(() => {
    asked += 1;
    fake.requests.length = 0;
    fake.calls.clear();
  });
  afterAll(async () => {
    await parley.remove();
    await fake.close();
  });

  it(
    "after the carrier took the call: its callbacks tell, and the call is never dialed again",
    DRILL,
    async () => {
      fake.fault = "mute";
      const lost = ask().catch(() => undefined);
      await expect.poll(() => fake.calls.size, SOON).toBe(1);
      await killAndRestart();
      await lost;
      expect(await ask()).toMatchObject({ status: 409 });
      const [callSid = ""] = fake.calls.keys();
      await fake.tell(callSid, { type: "ringing" });

      const again = await ask();
      expect(again).toMatchObject({ status: 200, replayed: "true", data: { callSid, status: "ringing" } });
      expect(dials(fake)).toBe(1);
      // It is a call like any other: steered by the name that the callback told.
      const { sessionId } = again.data;
      expect((await parley.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
      await expect.poll(() => fake.calls.get(callSid)?.state, SOON).toBe("ended");
      await expect.poll(async () => (await ask()).data.status, SOON).toBe("canceled");
      expect(dials(fake)).toBe(1);
    },
  );

  it(
    "before anybody knows whether the carrier took it: the state is told, not dialed again",
    DRILL,
    async () => {
      fake.fault = "hang";
      const lost = ask().catch(() => undefined);
      await expect.poll(() => dials(fake), SOON).toBe(1);
      await killAndRestart();
      await lost;
      const db = parley.database.db;
      const longAgo = new Date(Date.now() - 1_000_000);
      await db.updateTable("idempotent_requests").set({ locked_until: longAgo }).execute();

      const again = await ask();
      expect(again).toMatchObject({ status: 200, data: { callSid: null, status: "queued" } });
      const { sessionId } = again.data;
      await db
        .updateTable("calls")
        .set({ created_at: longAgo })
        .where("session_id", "=", sessionId)
        .execute();
      await expect.poll(async () => (await ask()).data.status, SOON).toBe("canceled");
      expect((await ask()).data).toMatchObject({ sessionId, callSid: null });
      expect(dials(fake)).toBe(1);
    },
  );

  async function killAndRestart(): Promise<void> {
    await api.kill();
    fake.fault = undefined;
    api = await parley.startControlApi(env);
  }

  async function ask() {
    const response = await parley.request(
      "POST",
      "/api/sessions/initiate-call",
      { agentId: parley.agentId, to: `+1202555020${asked}` },
      { "idempotency-key": `the-same-${asked}` },
    );
    const { data } = (await response.json()) as {
      data: { sessionId: string; callSid: string | null; status: string };
    };
    return { status: response.status, replayed: response.headers.get("idempotency-replayed"), data };
  }
});
