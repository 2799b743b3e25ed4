import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepCall } from "../../../testkit/kept-call.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";
import { deleteExpired } from "./store.ts";

/** Other processes have this machine, too. */
const SOON = { timeout: 60_000 };
const DAY_MS = 86_400_000;
const EMAIL = "ada.king@example.com";
const FIELDS = [
  { key: "email", description: "the caller's address", piiRule: "email" },
  { key: "card", description: "their card", piiRule: "card_number" },
  { key: "shoe", description: "their shoe size", piiRule: "shoe_size" },
];

let webhooks: TestWebhooks;
let owner: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  webhooks = await TestWebhooks.start();
  owner = await TestPerson.register(webhooks.api);
  stranger = await TestPerson.register(webhooks.api);
});
afterAll(() => webhooks.close());

interface Collected {
  readonly id: string;
  readonly [field: string]: unknown;
}

const hold = async () => {
  const created = await owner.call("POST", "/api/agents", {
    name: "Anna",
    brain: { url: "https://brain.example/" },
    postCallAnalysis: { enabled: true, customFields: FIELDS },
  });
  const agentId = (created.body.data as { id: string }).id;
  const made = await owner.call("POST", `/api/orgs/${owner.orgId}/api-keys`, { name: "k", role: "owner" });
  const key = (made.body.data as { secret: string }).secret;
  const organization = { orgId: owner.orgId, userId: "", agentId, keys: { owner: key }, revokedKey: "" };
  const said = [`Write to ${EMAIL}, my card is [card_number].`];
  const { sessionId } = await keepCall(webhooks.api, organization as never, { said });
  const read = async () => (await webhooks.api.call("GET", `/api/v1/calls/${sessionId}`, { key })).body;
  await expect.poll(async () => (await read()).analysis, SOON).not.toBeNull();
  const { piiCollected } = (await read()) as { piiCollected: Collected[] };
  return { key, sessionId, read, piiCollected };
};
const open = (person: TestPerson, id: string, body: object = { reason: "the caller asked for a copy" }) =>
  person.call("POST", `/api/orgs/${owner.orgId}/pii-vault/${id}/read`, body);

describe("a field with a piiRule", () => {
  it("is kept sealed, told without its value, and read with a reason that stands in the audit log", async () => {
    const { read, piiCollected, sessionId } = await hold();
    expect(piiCollected).toEqual([
      {
        id: expect.stringMatching(/^pii_/),
        ruleSlug: "email",
        fieldKey: "email",
        source: "analysis",
        expiresAt: expect.any(String),
        collected: true,
      },
    ]);
    const { analysis } = await read();
    expect(analysis).toMatchObject({
      customData: { email: "[email]", card: null, shoe: null },
    });
    expect(JSON.stringify(analysis)).not.toContain(EMAIL);
    const { db } = webhooks.api.database;
    const rows = await db.selectFrom("pii_vault").selectAll().where("session_id", "=", sessionId).execute();
    expect(JSON.stringify(rows)).not.toContain("@");

    const id = piiCollected[0]?.id ?? "";
    expect((await open(owner, id, {})).status).toBe(400);
    expect((await open(stranger, id)).status).toBe(403);
    const shown = await open(owner, id);
    expect(shown.body.data).toEqual({ id, value: EMAIL });
    const audit = await owner.call("GET", `/api/orgs/${owner.orgId}/audit?action=pii_vault.read`);
    expect(JSON.stringify(audit.body)).toContain("the caller asked for a copy");
    expect(JSON.stringify(audit.body)).not.toContain(EMAIL);
  });

  it("is gone when it expires, but not under legal hold, and with the call's content", async () => {
    const { key, sessionId, piiCollected, read } = await hold();
    const id = piiCollected[0]?.id ?? "";
    const { database } = webhooks.api;
    const hold_ = (legal_hold: boolean) =>
      database.db.updateTable("organizations").set({ legal_hold }).where("id", "=", owner.orgId).execute();
    await hold_(true);
    await deleteExpired(database, new Date(Date.now() + 31 * DAY_MS));
    expect((await read()).piiCollected).toHaveLength(1);
    await hold_(false);
    await deleteExpired(database, new Date(Date.now() + 29 * DAY_MS));
    expect((await read()).piiCollected).toHaveLength(1);
    await deleteExpired(database, new Date(Date.now() + 31 * DAY_MS));
    expect((await open(owner, id)).status).toBe(404);

    const other = await hold();
    const path = `/api/orgs/${owner.orgId}/calls/${other.sessionId}/content`;
    expect((await webhooks.api.call("DELETE", path, { key: other.key })).status).toBeLessThan(300);
    expect((await open(owner, other.piiCollected[0]?.id ?? "")).status).toBe(404);
    expect([key, sessionId]).not.toContain("");
  });
});
