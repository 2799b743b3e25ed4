import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { timesRecorded } from "../../../testkit/call-events.ts";
import { TestCallee } from "../../../testkit/callee.ts";
import { connectAccount } from "../../../testkit/carrier-account.ts";
import type { TestControlApi } from "../../../testkit/control-api.ts";
import type { FakeCall, FakeCarrier } from "../../../testkit/fakes/carriers/fake-carrier.ts";
import { PLIVO_ACCOUNT, startFakePlivo } from "../../../testkit/fakes/carriers/plivo.ts";
import { startFakeTelnyx, TELNYX_ACCOUNT } from "../../../testkit/fakes/carriers/telnyx.ts";
import { startFakeTwilio, TWILIO_ACCOUNT } from "../../../testkit/fakes/carriers/twilio.ts";
import { startFakeVonage, VONAGE_ACCOUNT } from "../../../testkit/fakes/carriers/vonage.ts";
import { newPhoneIds, PHONE_DIALECTS } from "../../../testkit/fakes/phones/by-carrier.ts";
import { FakePhone } from "../../../testkit/fakes/phones/phone.ts";
import { TestGateway } from "../../../testkit/gateway.ts";
import { needs } from "../../../testkit/needs.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { startTwoApis } from "../../../testkit/two-apis.ts";

const ROUNDS = 5;
const FROM = "+12025550177";
const MEDIA = /\/v1\/media\/\w+\/(ses_\w+)\//;

/** Each signs the same question again, but Twilio, whose second try at a node is the first one byte for byte. */
const CARRIERS = [
  { name: "twilio", start: startFakeTwilio, credentials: TWILIO_ACCOUNT, ours: "+12025550131" },
  { name: "plivo", start: startFakePlivo, credentials: PLIVO_ACCOUNT, ours: "+12025550133" },
  { name: "telnyx", start: startFakeTelnyx, credentials: TELNYX_ACCOUNT, ours: "+12025550132" },
  { name: "vonage", start: startFakeVonage, credentials: VONAGE_ACCOUNT, ours: "+12025550134" },
] as const;
type Name = (typeof CARRIERS)[number]["name"];

describe.runIf(needs("redis") && needs("postgres"))(
  "A carrier that asks twice at once about a call, as",
  () => {
    let apis: Awaited<ReturnType<typeof startTwoApis>>;
    let gateway: TestGateway;
    let acme: TestOrganization;
    const fakes = new Map<Name, { fake: FakeCarrier; connectionId: string }>();
    beforeAll(async () => {
      const started = await Promise.all(CARRIERS.map(({ start }) => start()));
      const urls = CARRIERS.map(({ name }, i) => [`${name.toUpperCase()}_API_URL`, started[i]?.url ?? ""]);
      apis = await startTwoApis({ allowPrivateTargets: ["127.0.0.0/8"], env: Object.fromEntries(urls) });
      const { one, secretsKey } = apis;
      gateway = await TestGateway.start({
        bus: await apis.openBus(),
        keys: one.keys,
        env: { DATA_DIR: one.dataDir },
      });
      acme = await one.createOrganization();
      const { orgId, userId, agentId } = acme;
      const owner = { org_id: orgId, user_id: userId, role: "owner" } as const;
      await one.database.db.insertInto("memberships").values(owner).execute();
      for (const [i, { name, credentials, ours }] of CARRIERS.entries()) {
        const account = { orgId, carrier: name, credentials, number: ours, secretsKey };
        const connectionId = await connectAccount(one.database, account);
        fakes.set(name, { fake: started[i]!, connectionId });
      }
      await one.database.db
        .updateTable("phone_numbers")
        .set({ agent_id: agentId })
        .where("org_id", "=", orgId)
        .execute();
    });
    afterAll(async () => {
      await gateway.close();
      await apis.close();
      for (const { fake } of fakes.values()) await fake.close();
    });

    /** The carrier asks one of the nodes what to do with a call; gives where its media was sent. */
    async function ask(name: Name, { api }: TestControlApi, leg: { callSid: string; to: string }) {
      const { fake, connectionId } = fakes.get(name)!;
      const call: FakeCall = {
        ...leg,
        direction: "inbound",
        from: FROM,
        callbackUrl: `${api.baseUrl}/api/public/carriers/${connectionId}/inbound`,
        state: "ringing",
      };
      await fake.callIn(call);
      // Telnyx is told by a command, which finds the call that was added last.
      return (call.mediaUrl ?? fake.calls.get(call.callSid)?.mediaUrl)?.replaceAll("&apos;", "'");
    }

    /** Both nodes are asked, each twice. */
    async function callIn(name: Name, to: string) {
      const { callSid } = newPhoneIds();
      const { one, other } = apis;
      const mediaUrls = await Promise.all(
        [one, other, one, other].map((api) => ask(name, api, { callSid, to })),
      );
      return { callSid, mediaUrls };
    }

    async function callsOf(callSid: string): Promise<string[]> {
      const { db } = apis.one.database;
      const rows = await db
        .selectFrom("calls")
        .select("session_id")
        .where("call_sid", "=", callSid)
        .execute();
      return rows.map(({ session_id }) => session_id);
    }

    const recordOf = async (sessionId: string) =>
      (await apis.one.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer })).body;
    const statusOf = async (sessionId: string) => (await recordOf(sessionId)).status;

    describe.each(CARRIERS)("$name", ({ name, ours }) => {
      it("gets the same call each time, which begins once and is an ordinary one", async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const { callSid, mediaUrls } = await callIn(name, ours);
          const [sessionId = "", ...others] = await callsOf(callSid);
          expect(others).toEqual([]);
          expect(mediaUrls.map((url) => MEDIA.exec(url ?? "")?.[1])).toEqual(mediaUrls.map(() => sessionId));
          const dialect = PHONE_DIALECTS.get(name)!({ ...newPhoneIds(), callSid });
          const phone = await FakePhone.connect(mediaUrls.at(-1) ?? "", dialect);
          await expect.poll(() => statusOf(sessionId)).toBe("in-progress");
          phone.hangUp();
          await expect.poll(() => statusOf(sessionId)).toBe("completed");
          expect(await timesRecorded(apis.one.database, sessionId, "call.started")).toBe(1);
        }
        expect([...(await apis.one.bus.keys.list("plan:")).keys()]).toEqual([]);
      });

      it("lets it ring for the member whose number it is", async () => {
        const { orgId, keys } = acme;
        const ada = await TestCallee.create(apis.one, { orgId, key: keys.developer, carrier: name });
        for (let round = 0; round < ROUNDS; round++) {
          const { callSid, mediaUrls } = await callIn(name, ada.number);
          const [sessionId = "", ...others] = await callsOf(callSid);
          expect(others).toEqual([]);
          expect(mediaUrls.map((url) => MEDIA.exec(url ?? "")?.[1])).toEqual(mediaUrls.map(() => sessionId));
          expect(await statusOf(sessionId)).toBe("ringing");
          expect((await ada.call("POST", `/api/sessions/${sessionId}/decline`)).status).toBe(200);
        }
      });

      // Twilio's second try would be answered as the first, before.
      if (name === "twilio") return;
      it("is refused once the call is over", async () => {
        const { orgId, keys } = acme;
        const ada = await TestCallee.create(apis.one, { orgId, key: keys.developer, carrier: name });
        const { callSid, mediaUrls } = await callIn(name, ada.number);
        expect(mediaUrls[0]).toBeDefined();
        const [sessionId = ""] = await callsOf(callSid);
        await ada.call("POST", `/api/sessions/${sessionId}/decline`);
        await expect.poll(async () => (await recordOf(sessionId)).endTime).not.toBeNull();
        fakes.get(name)!.fake.calls.clear();
        expect(await ask(name, apis.other, { callSid, to: ada.number })).toBeUndefined();
      });
    });
  },
);
