import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectAccount, dials } from "../../testkit/carrier-account.ts";
import type { FakeCall } from "../../testkit/fakes/carriers/fake-carrier.ts";
import { TWILIO_ACCOUNT } from "../../testkit/fakes/carriers/twilio.ts";
import { needs } from "../../testkit/needs.ts";
import { TestPhoneCompany } from "../../testkit/phone-company.ts";
import { freePort } from "../../testkit/redis.ts";
import type { ServerProcess } from "../../testkit/server-process.ts";
import { Installation } from "./support/installation.ts";
import { DRILL } from "./support/sizes.ts";

const SOON = { timeout: 90_000 };
const FROM = "+12025550123";
const secretsKey = `test:${randomBytes(32).toString("base64")}`;

describe.runIf(needs("redis") && needs("postgres"))(
  "A control API killed while it transfers a caller",
  () => {
    let parley: Installation;
    let company: TestPhoneCompany;
    let env: Record<string, string>;
    let api: ServerProcess;
    let nr = 0;
    beforeAll(async () => {
      company = await TestPhoneCompany.start("twilio", {});
      parley = await Installation.start();
      // Callbacks reach whoever is there in the place of the one that was killed.
      const port = String(await freePort());
      env = { CONTROL_API_PORT: port, TWILIO_API_URL: company.carrier.url, SECRETS_KEY: secretsKey };
      api = await parley.startControlApi(env);
      await parley.startGateway();
      const account = { carrier: "twilio", credentials: TWILIO_ACCOUNT, number: FROM } as const;
      await connectAccount(parley.database, { orgId: parley.orgId, secretsKey, ...account });
    });
    afterEach(() => {
      company.carrier.fault = undefined;
    });
    afterAll(async () => {
      await parley.remove();
      await company.close();
    });

    it("while a colleague's phone rings: they are told, and joined with the caller", DRILL, async () => {
      const { sessionId, call, colleague } = await talking();
      expect((await transfer(sessionId, colleague, "warm")).status).toBe(200);
      await expect.poll(() => company.isRung(colleague), SOON).toBe(true);
      const target = company.call(colleague);
      await killAndRestart();

      await company.carrier.tell(target.callSid, { type: "answered" });
      await expect.poll(() => target.whisper?.text, SOON).toBe("It is Ada.");
      await company.carrier.tell(target.callSid, { type: "whispered" });
      await expect.poll(() => endOf(sessionId), SOON).toBe("transferred");
      expect([call.room, call.state, target.state]).toEqual([target.room, "answered", "answered"]);
      expect(dials(company.carrier)).toBe(2);
    });

    it(
      "after the carrier took the order: the caller is handed over once, and the call ends as that",
      DRILL,
      async () => {
        const { sessionId, call, colleague } = await talking();
        company.carrier.fault = "mute";
        const lost = transfer(sessionId, colleague, "blind").catch(() => undefined);
        await expect.poll(() => call.transferredTo, SOON).toBe(colleague);
        await killAndRestart();
        await lost;

        expect((await transfer(sessionId, colleague, "blind")).status).toBe(409);
        await company.handsOver(call, colleague);
        await expect.poll(() => endOf(sessionId), SOON).toBe("transferred");
        expect(call.state).toBe("answered");
      },
    );

    it(
      "while nobody takes the call over: the caller is back with the agent, who goes on",
      DRILL,
      async () => {
        const { sessionId, call, colleague } = await talking();
        expect((await transfer(sessionId, colleague, "blind")).status).toBe(200);
        await killAndRestart();
        const back = await company.comesBack(call, colleague, "busy");
        await expect.poll(() => said(sessionId), SOON).toContain("I hear you.");
        back.press("1#");
        await expect
          .poll(async () => (await said(sessionId)).filter((text) => text === "DTMF: 1#"), SOON)
          .toEqual(["DTMF: 1#"]);
        expect((await parley.request("DELETE", `/api/sessions/${sessionId}`)).status).toBe(200);
        await expect.poll(() => call.state, SOON).toBe("ended");
      },
    );

    /** A phone call in which the agent has been heard, and the number of somebody new. */
    async function talking(): Promise<{ sessionId: string; call: FakeCall; colleague: string }> {
      company.carrier.requests.length = 0;
      nr += 1;
      const to = `+1202555020${nr}`;
      const body = { agentId: parley.agentId, to };
      const response = await parley.request("POST", "/api/sessions/initiate-call", body);
      const { data } = (await response.json()) as { data: { sessionId: string } };
      const call = company.call(to);
      const phone = await company.pickUp(call);
      phone.press("5#");
      await expect.poll(() => said(data.sessionId), SOON).toContain("I hear you.");
      return { sessionId: data.sessionId, call, colleague: `+1202555030${nr}` };
    }

    function transfer(sessionId: string, to: string, mode: "blind" | "warm"): Promise<Response> {
      const order = mode === "warm" ? { to, mode, whisper: "It is Ada." } : { to };
      return parley.request("POST", `/api/sessions/${sessionId}/transfer`, order);
    }

    async function said(sessionId: string): Promise<string[]> {
      const events = await parley.recorded(sessionId);
      return events.flatMap((event) => (event.type === "call.message" ? [event.text] : []));
    }

    async function endOf(sessionId: string): Promise<string | null> {
      const row = await parley.database.db
        .selectFrom("calls")
        .select("end_reason")
        .where("session_id", "=", sessionId)
        .executeTakeFirst();
      return row?.end_reason ?? null;
    }

    async function killAndRestart(): Promise<void> {
      await api.kill();
      company.carrier.fault = undefined;
      api = await parley.startControlApi(env);
    }
  },
);
