import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { assertSecretStaysHome } from "./settings.ts";

const SECRET = "a-secret-of-the-brain";

let api: TestControlApi;
let acme: TestOrganization;

beforeAll(async () => {
  api = await TestControlApi.start();
  acme = await api.createOrganization();
  await api.registerNode({ maxCalls: 100 });
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { key: acme.keys.developer, ...(body === undefined ? {} : { body }) });

async function created(brain: Record<string, unknown> = {}): Promise<string> {
  const body = { name: "Anna", brain: { url: "https://brain.example/", ...brain } };
  const answer = await call("POST", "/api/agents", body);
  expect(answer.status, answer.text).toBe(201);
  return (answer.body.data as { id: string }).id;
}

const hasSecret = async (id: string): Promise<unknown> =>
  ((await call("GET", `/api/agents/${id}`)).body.data as { brain: { hasSecret: boolean } }).brain.hasSecret;

/** The secret a gateway would sign this agent's turns with. */
async function secretInCall(agentId: string): Promise<unknown> {
  const { body } = await call("POST", "/api/sessions/init-web-call", { agentId });
  const { sessionId } = body.data as { sessionId: string };
  return (await api.planOf(sessionId)).brain.secret;
}

async function rowsOf(agentId: string): Promise<string> {
  const { db } = api.database;
  const agents = await db.selectFrom("agents").selectAll().where("id", "=", agentId).execute();
  const versions = await db
    .selectFrom("agent_versions")
    .selectAll()
    .where("agent_id", "=", agentId)
    .execute();
  return JSON.stringify([agents, versions]);
}

describe("the secret of a brain", () => {
  it("goes in and never comes out: not in answers, rows, versions, the audit log or the log", async () => {
    const body = { name: "Anna", brain: { url: "https://brain.example/", secret: SECRET } };
    const answer = await call("POST", "/api/agents", body);
    const { id } = answer.body.data as { id: string };
    const audit = await api.database.db.selectFrom("audit_events").selectAll().execute();
    const texts = [
      answer.text,
      (await call("PATCH", `/api/agents/${id}`, { name: "Berta" })).text,
      (await call("GET", `/api/agents/${id}`)).text,
      (await call("GET", "/api/agents")).text,
      (await call("GET", `/api/agents/${id}/versions`)).text,
      (await call("GET", `/api/agents/${id}/versions/1`)).text,
      await rowsOf(id),
      JSON.stringify(audit),
      api.logged.join(""),
    ];
    for (const text of texts) expect(text).not.toContain(SECRET);
    expect(texts[5]).toContain('"hasSecret":true');
  });

  it("is what calls run with, until it is replaced or taken away", async () => {
    const id = await created({ secret: SECRET });
    await call("PATCH", `/api/agents/${id}`, { brain: { url: "https://other.example/" } });
    expect([await hasSecret(id), await secretInCall(id)]).toEqual([true, SECRET]);
    await call("PATCH", `/api/agents/${id}`, { brain: { secret: "another-secret" } });
    expect([await hasSecret(id), await secretInCall(id)]).toEqual([true, "another-secret"]);
    await call("PATCH", `/api/agents/${id}`, { brain: { secret: null } });
    expect([await hasSecret(id), await secretInCall(id)]).toEqual([false, undefined]);
  });

  it("of an agent of version 0.1.0 lies in the clear, works, and is sealed with the next change", async () => {
    const old = await api.createOrganization({ brain: { url: "https://brain.example/", secret: SECRET } });
    const asOwner = { key: old.keys.owner };
    const read = await api.call("GET", `/api/agents/${old.agentId}`, asOwner);
    expect(read.text).toContain('"hasSecret":true');
    expect(read.text).not.toContain(SECRET);
    const begin = async () => {
      const body = { agentId: old.agentId };
      const answer = await api.call("POST", "/api/sessions/init-web-call", { ...asOwner, body });
      const { sessionId } = answer.body.data as { sessionId: string };
      return (await api.planOf(sessionId)).brain.secret;
    };
    expect(await begin()).toBe(SECRET);
    const body = { recording: false };
    expect((await api.call("PATCH", `/api/agents/${old.agentId}`, { ...asOwner, body })).status).toBe(200);
    expect(await rowsOf(old.agentId)).not.toContain(SECRET);
    expect(await begin()).toBe(SECRET);
  });

  it("that was sealed for one agent opens for no other", async () => {
    const [one, other] = [await created({ secret: SECRET }), await created()];
    const { db } = api.database;
    const { sealed } = await db
      .selectFrom("agents")
      .select("sealed")
      .where("id", "=", one)
      .executeTakeFirstOrThrow();
    await db
      .updateTable("agents")
      .set({ sealed: JSON.stringify(sealed) })
      .where("id", "=", other)
      .execute();
    expect((await call("POST", "/api/sessions/init-web-call", { agentId: other })).status).toBe(500);
  });

  it("of a model does not move to another address with a change of that address", () => {
    const at = (url: string) => ({ settings: { brain: { kind: "model", url } }, sealed: {} });
    const [home, away] = [at("https://models.example/v1"), at("https://evil.example/v1")];
    expect(() => assertSecretStaysHome(home, away, {})).toThrow("brain.secret");
    expect(() => assertSecretStaysHome(home, away, { secret: "new" })).not.toThrow();
    expect(() => assertSecretStaysHome(home, away, { secret: null })).not.toThrow();
    expect(() => assertSecretStaysHome(home, home, {})).not.toThrow();
  });
});
