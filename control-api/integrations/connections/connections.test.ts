import { SECRET_MASK } from "@parley/shared/contracts/integrations.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { FakeVendor } from "../../../testkit/fakes/connectors/fake-vendor.ts";
import { STRIPE_KEY, startFakeStripe } from "../../../testkit/fakes/connectors/stripe.ts";
import { startFakeZendesk, ZENDESK } from "../../../testkit/fakes/connectors/zendesk.ts";
import { TestMembers } from "../../../testkit/members.ts";

const BASE = "/api/v1/integrations";
const URL = "https://shoes.zendesk.com";
const zendesk = { providerId: "zendesk", credentials: ZENDESK.basic, settings: { url: URL } };

let stripe: FakeVendor;
let help: FakeVendor;
let api: TestControlApi;
let members: TestMembers;

beforeAll(async () => {
  stripe = await startFakeStripe();
  help = await startFakeZendesk();
  api = await TestControlApi.start({
    isEmbedded: true,
    env: { INTEGRATION_URLS: `stripe=${stripe.url},zendesk=${help.url}` },
    allowPrivateTargets: ["127.0.0.0/8"],
  });
  members = await TestMembers.create(api);
});
afterAll(async () => {
  await api.close();
  stripe.close();
  help.close();
});
beforeEach(async () => {
  stripe.fault = undefined;
  help.fault = undefined;
  help.held = undefined;
  help.calls.length = 0;
  await api.database.db.deleteFrom("integration_connections").execute();
});

interface Connection {
  readonly id: string;
  readonly status: string;
  readonly lastError?: string;
  readonly credentials: Record<string, string>;
  readonly settings: Record<string, string>;
}
interface Result {
  readonly connection: Connection;
  readonly verification: { ok: boolean; error?: string; warnings: string[] } | null;
  readonly next: unknown;
}

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.call(method, `${BASE}${path}`, {
    key: members.keys.developer,
    headers,
    ...(body === undefined ? {} : { body }),
  });
async function create(body: unknown, headers: Record<string, string> = {}) {
  const answer = await call("POST", "/connections", body, headers);
  return { ...answer, result: answer.body as unknown as Result };
}
const read = async (id: string) => (await call("GET", `/connections/${id}`)).body as unknown as Connection;

describe("connecting an account", () => {
  it("asks the vendor, answers 201 flat, and shows secrets as a mask", async () => {
    const { status, result, text } = await create({ ...zendesk, label: "Our help desk" });
    expect(status).toBe(201);
    expect(result).toMatchObject({
      connection: {
        providerId: "zendesk",
        label: "Our help desk",
        status: "active",
        credentials: { email: "agent@example.com", apiToken: SECRET_MASK },
        settings: { url: URL, account: "shoes.zendesk.com" },
        capabilities: ["ticket.lookup", "ticket.create", "ticket.comment"],
      },
      verification: { ok: true, warnings: [expect.stringContaining("April 30, 2027")] },
      next: null,
    });
    const rows = await api.database.db.selectFrom("integration_connections").selectAll().execute();
    const audited = await api.database.db.selectFrom("audit_events").select("details").execute();
    const seen = [text, JSON.stringify(rows), JSON.stringify(audited), ...api.logged].join("\n");
    expect(seen).not.toContain(ZENDESK.basic.apiToken);
  });

  it("that the vendor refuses is kept as an error with the words to mend it by PATCH", async () => {
    const { status, result } = await create({
      ...zendesk,
      credentials: { ...ZENDESK.basic, apiToken: "wrong" },
    });
    expect(status).toBe(201);
    expect(result.connection).toMatchObject({
      status: "error",
      lastError: expect.stringContaining("Zendesk"),
    });
    expect(result.verification).toMatchObject({ ok: false });
    const { id } = result.connection;
    const mended = await call("PATCH", `/connections/${id}`, {
      credentials: { apiToken: ZENDESK.basic.apiToken },
    });
    expect(mended).toMatchObject({ status: 200, body: { connection: { id, status: "active" } } });
    expect(await read(id)).not.toHaveProperty("lastError");
  });

  it("asks nobody with verify: false", async () => {
    const { result } = await create({ ...zendesk, verify: false });
    expect(result).toMatchObject({ connection: { status: "active" }, verification: null, next: null });
    expect(help.calls).toEqual([]);
  });

  it.each([
    [
      "the mask",
      { ...zendesk, credentials: { ...ZENDESK.basic, apiToken: SECRET_MASK } },
      "apiToken is a masked value",
    ],
    [
      "the mask with blanks around it",
      { ...zendesk, credentials: { ...ZENDESK.basic, apiToken: ` ${SECRET_MASK} ` } },
      "apiToken is a masked value",
    ],
    [
      "a foreign host",
      { ...zendesk, settings: { url: "https://zendesk.com.evil.example" } },
      "<subdomain>.zendesk.com",
    ],
    [
      "a missing form",
      { ...zendesk, credentials: { email: "a@example.com" } },
      "email and apiToken, or accessToken",
    ],
    [
      "an unknown key",
      { ...zendesk, credentials: { ...ZENDESK.bearer, token: "x" } },
      "token is not a known field",
    ],
    ["a missing setting", { ...zendesk, settings: {} }, "settings.url is required"],
    ["two lines", { providerId: "stripe", credentials: { apiKey: "a\r\nX: b" } }, "visible characters"],
    ["an unknown connector", { providerId: "whatsapp" }, "There is no connector whatsapp"],
  ])("with %s is refused, and nobody is asked", async (_what, body, why) => {
    const { status, body: refusal } = await create(body);
    expect(status).toBe(400);
    expect(refusal).toMatchObject({ success: false, error: expect.stringContaining(why) });
    expect(help.calls).toEqual([]);
  });

  it("twenty times at once makes one connection; the others are told which", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(zendesk)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const { id } = made[0]!.result.connection;
    const others = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of others) {
      expect({ status, error: body.error }).toEqual({ status: 409, error: expect.stringContaining(id) });
    }
  });

  it("of a vendor that alone knows its accounts may be done twice", async () => {
    const body = { providerId: "stripe", credentials: { apiKey: STRIPE_KEY } };
    expect((await create(body)).status).toBe(201);
    expect((await create(body)).status).toBe(201);
  });
});

describe("an Idempotency-Key", () => {
  const key = () => ({ "idempotency-key": newId("key") });

  it("answers the first 201 again, and refuses another body with 422", async () => {
    const headers = key();
    const first = await create(zendesk, headers);
    const again = await create(zendesk, headers);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await create({ ...zendesk, label: "other" }, headers);
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  });

  it("is refused with 409 while the first request is under way", async () => {
    const headers = key();
    let answer: () => void = () => undefined;
    help.held = new Promise((resolve) => {
      answer = resolve;
    });
    const first = create(zendesk, headers);
    await expect.poll(() => help.calls.length).toBe(1);
    expect(await create(zendesk, headers)).toMatchObject({ status: 409, body: { code: "conflict" } });
    answer();
    expect((await first).status).toBe(201);
  });

  it("of a request that was refused may be used again", async () => {
    const headers = key();
    expect((await create({ ...zendesk, settings: {} }, headers)).status).toBe(400);
    expect((await create(zendesk, headers)).status).toBe(201);
  });
});

describe("changing a connection", () => {
  it.each(["PATCH", "PUT"])("by %s keeps what is left out, and what the mask stands for", async (method) => {
    const { id } = (await create(zendesk)).result.connection;
    const body = { label: "Second line", credentials: { email: "agent@example.com", apiToken: SECRET_MASK } };
    const { status, body: changed } = await call(method, `/connections/${id}`, body);
    expect(status).toBe(200);
    expect(changed).toMatchObject({
      connection: { label: "Second line", status: "active", settings: { url: URL } },
      verification: { ok: true },
    });
  });

  it("to another form of credentials drops the first", async () => {
    const { id } = (await create(zendesk)).result.connection;
    const { body } = await call("PATCH", `/connections/${id}`, { credentials: ZENDESK.bearer });
    expect(body).toMatchObject({
      connection: { credentials: { accessToken: SECRET_MASK } },
      verification: { ok: true, warnings: [] },
    });
    expect((await read(id)).credentials).toEqual({ accessToken: SECRET_MASK });
  });

  it("to another account is done, unless another connection has that account", async () => {
    const { id } = (await create(zendesk)).result.connection;
    const moved = await call("PATCH", `/connections/${id}`, {
      settings: { url: "https://boots.zendesk.com" },
    });
    expect(moved.body).toMatchObject({ connection: { settings: { url: "https://boots.zendesk.com" } } });
    const other = (await create(zendesk)).result.connection;
    const back = await call("PATCH", `/connections/${id}`, { settings: { url: URL } });
    expect(back).toMatchObject({ status: 409, body: { error: expect.stringContaining(other.id) } });
  });

  it("takes a connection as it was read, with the account's name and the masks", async () => {
    const { id, credentials, settings } = (await create(zendesk)).result.connection;
    expect(settings.account).toBe("shoes.zendesk.com");
    const asRead = { providerId: "zendesk", credentials, settings };
    const again = await call("PUT", `/connections/${id}`, { label: "Same", ...asRead });
    expect(again, again.text).toMatchObject({ status: 200, body: { verification: { ok: true } } });
    expect((await read(id)).settings).toEqual(settings);
    const renamed = await call("PATCH", `/connections/${id}`, { settings: { account: "other" } });
    expect(renamed).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("settings.account") },
    });
  });

  it("forgets the name of the account it moved away from, until the vendor names the new one", async () => {
    const { id } = (await create(zendesk)).result.connection;
    const settings = { url: "https://boots.zendesk.com" };
    await call("PATCH", `/connections/${id}`, { settings, verify: false });
    expect((await read(id)).settings).toEqual(settings);
    await call("POST", `/connections/${id}/test`);
    expect((await read(id)).settings).toEqual({ ...settings, account: "boots.zendesk.com" });
  });

  it("cannot change its connector", async () => {
    const { id } = (await create(zendesk)).result.connection;
    const refused = await call("PATCH", `/connections/${id}`, { providerId: "stripe" });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("providerId cannot change") },
    });
    expect(await read(id)).toMatchObject({ providerId: "zendesk" });
  });
});

describe("testing a connection", () => {
  it("answers 200 whatever the vendor says, and keeps it", async () => {
    const { id } = (await create(zendesk)).result.connection;
    help.fault = { status: 500, json: {} };
    const { status, body } = await call("POST", `/connections/${id}/test`);
    expect({ status, body }).toMatchObject({ status: 200, body: { ok: false, warnings: [] } });
    expect(await read(id)).toMatchObject({ status: "error", lastError: expect.stringContaining("500") });
    help.fault = undefined;
    expect((await call("POST", `/connections/${id}/test`)).body).toMatchObject({ ok: true });
    expect(await read(id)).toMatchObject({ status: "active" });
  });
});

describe("disconnecting", () => {
  it("is refused while an agent uses the connection, and names it", async () => {
    const { id } = (await create(zendesk)).result.connection;
    const save = (brain: object) =>
      api.call("PATCH", `/api/agents/${members.agentId}`, {
        key: members.keys.owner,
        body: { name: "Front desk", brain },
      });
    const tool = { kind: "connector", name: "ticket", capability: "ticket.lookup", connectionId: id };
    expect((await save({ tools: [tool] })).status).toBe(200);
    const refused = await call("DELETE", `/connections/${id}`);
    expect(refused).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("agent Front desk") },
    });
    // Whose name or payload happens to have its id uses nothing.
    expect((await save({ tools: [], payload: { connectionId: id } })).status).toBe(200);
    expect(await call("DELETE", `/connections/${id}`)).toMatchObject({
      status: 200,
      body: { id, deleted: true },
    });
    expect((await call("GET", `/connections/${id}`)).status).toBe(404);
  });
});

describe("who may do what", () => {
  it("keeps organizations apart", async () => {
    const { id } = (await create(zendesk)).result.connection;
    const key = members.stranger.key;
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/test"],
    ] as const) {
      const body = method === "PATCH" ? { body: {} } : {};
      const { status } = await api.call(method, `${BASE}/connections/${id}${path}`, { key, ...body });
      expect(status).toBe(404);
    }
  });

  it("opens nobody else's credentials", async () => {
    const { id } = (await create(zendesk)).result.connection;
    const moved = { id: newId("con"), account: "another" };
    await api.database.db.updateTable("integration_connections").set(moved).where("id", "=", id).execute();
    expect(await call("POST", `/connections/${moved.id}/test`)).toMatchObject({
      status: 500,
      body: { code: "internal" },
    });
  });

  it("serves people at the dashboard's route in its envelope", async () => {
    const { orgId } = members;
    const path = `/api/orgs/${orgId}/integrations`;
    const token = await members.token("developer");
    const made = await api.call("POST", `${path}/connections`, { token, orgId, body: zendesk });
    expect(made).toMatchObject({
      status: 201,
      body: { success: true, data: { connection: { status: "active" } } },
    });
    const viewer = await members.token("viewer");
    const listed = await api.call("GET", `${path}/connections`, { token: viewer, orgId });
    expect(listed.body).toMatchObject({ success: true, data: { total: 1 } });
    expect(
      (await api.call("POST", `${path}/connections`, { token: viewer, orgId, body: zendesk })).status,
    ).toBe(403);
  });
});
