import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { createOrganization } from "../../testkit/organization.ts";
import { TestReceiver } from "../../testkit/receiver.ts";
import { startTwoApis } from "../../testkit/two-apis.ts";

const EVENTS = 200;

describe.runIf(needs("redis") && needs("postgres"))("two control APIs on one database", () => {
  it("deliver each of two hundred events once to each of three endpoints", async () => {
    const nodes = await startTwoApis({ allowPrivateTargets: ["127.0.0.0/8"] });
    onTestFinished(() => nodes.close());
    const { one } = nodes;
    const organization = await createOrganization(one.database);
    const { orgId, keys, agentId } = organization;
    await one.registerNode({ maxCalls: 10 });
    const receivers = await Promise.all([200, 200, 200].map((status) => TestReceiver.answering(status)));
    for (const receiver of receivers) {
      onTestFinished(() => receiver.close());
      const body = { url: receiver.url, events: ["call.dtmf"] };
      const created = await one.call("POST", `/api/orgs/${orgId}/webhooks`, { key: keys.owner, body });
      expect(created.status).toBe(201);
    }
    const created = await one.call("POST", "/api/sessions/init-web-call", {
      key: keys.owner,
      body: { agentId },
    });
    const { sessionId } = created.body.data as { sessionId: string };
    for (let seq = 1; seq <= EVENTS; seq++) {
      const at = new Date().toISOString();
      const event = { id: newId("evt"), sessionId, orgId, seq, at, type: "call.dtmf", digit: "1" };
      await one.bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify(event));
    }
    for (const { received } of receivers) {
      await expect.poll(() => received.length, { timeout: 90_000 }).toBe(EVENTS);
      expect(new Set(received.map(({ headers }) => headers["x-service-delivery"])).size).toBe(EVENTS);
    }
    const undelivered = async (): Promise<number> => {
      const rows = await one.database.db
        .selectFrom("webhook_deliveries")
        .select("id")
        .where("status", "!=", "delivered")
        .execute();
      return rows.length;
    };
    await expect.poll(undelivered).toBe(0);
  });
});
