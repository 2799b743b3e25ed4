import { AGENT_DELETED_CHANNEL, agentDeletedSchema } from "@parley/shared/contracts/agent-deleted.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";

let api: TestControlApi;
let acme: TestOrganization;

beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true });
  acme = await api.createOrganization();
});
afterAll(() => api.close());

type Json = Record<string, unknown>;
const BRAIN = { url: "https://brain.example/turn" };

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.call(method, path, { key: acme.keys.developer, headers, ...(body === undefined ? {} : { body }) });

async function created(extra: Json = {}): Promise<Json & { id: string }> {
  const answer = await call("POST", "/api/agents", { name: "Anna", brain: BRAIN, ...extra });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data as Json & { id: string };
}

const patch = (id: string, body: Json, headers: Record<string, string> = {}) =>
  call("PATCH", `/api/agents/${id}`, body, headers);

describe("an agent", () => {
  it("is a name and a brain, and every other setting has a default that is shown", async () => {
    const agent = await created();
    expect(agent).toMatchObject({
      name: "Anna",
      version: 1,
      brain: { ...BRAIN, hasSecret: false, payload: {}, firstTokenTimeoutMs: 8_000 },
      stt: [{ vendor: "client", language: "en" }],
      turnTaking: { endpointing: { minMs: 350 } },
      silence: { prompts: ["Are you still there?"] },
      recording: true,
      variables: [],
      apiAccess: true,
      voicemail: { action: "hangup" },
      screening: false,
    });
    expect(agent.id).toMatch(/^agt_/);
    const read = await call("GET", `/api/agents/${agent.id}`);
    expect(read.body).toEqual({ success: true, data: agent });
    expect(read.headers.get("etag")).toBe('"1"');
  });

  it.each<[string, Json, string]>([
    ["no name", { name: undefined }, "name"],
    ["no brain", { brain: undefined }, "brain"],
    ["a brain without an address", { brain: {} }, "brain.url"],
    ["a brain that is a file", { brain: { url: "file:///etc/passwd" } }, "brain.url"],
    ["a password in the address", { brain: { url: "https://me:secret@brain.example" } }, "brain.url"],
    ["a secret that is too short", { brain: { ...BRAIN, secret: "short" } }, "brain.secret"],
    ["an unknown field", { color: "red" }, "color"],
    ["an unknown field inside", { turnTaking: { endpointing: { minimumMs: 1 } } }, "minimumMs"],
    ["an unknown field of a vendor", { stt: [{ vendor: "client", key: "k" }] }, "key"],
    ["a wrong number inside", { turnTaking: { bargeIn: { minWords: -1 } } }, "turnTaking.bargeIn.minWords"],
    ["a voice of nobody", { tts: [{ vendor: "nobody" }] }, "tts.0.vendor"],
    ["a variable with a bad name", { variables: [{ name: "order id" }] }, "variables.0.name"],
    ["a variable twice", { variables: [{ name: "a" }, { name: "a" }] }, "variables"],
    ["a voicemail message that is not there", { voicemail: { action: "message" } }, "voicemail.message"],
    ["an id of its own", { id: "agt_1" }, "id"],
  ])("with %s is refused by name", async (_what, extra, field) => {
    const answer = await call("POST", "/api/agents", { name: "Anna", brain: BRAIN, ...extra });
    expect(answer).toMatchObject({ status: 400, body: { success: false, code: "validation_failed" } });
    expect(answer.body.error).toContain(field);
  });

  it("is listed with the others, the newest first, page by page", async () => {
    const own = await api.createOrganization();
    const post = (name: string) =>
      api.call("POST", "/api/agents", { key: own.keys.owner, body: { name, brain: BRAIN } });
    for (const name of ["One", "Two", "Three"]) await post(name);
    const list = async (query: string) => {
      const answer = await api.call("GET", `/api/agents${query}`, { key: own.keys.viewer });
      const { agents, total } = answer.body.data as { agents: { name: string }[]; total: number };
      return [agents.map(({ name }) => name), total];
    };
    expect(await list("")).toEqual([["Three", "Two", "One", "Anna"], 4]);
    expect(await list("?limit=2&offset=1")).toEqual([["Two", "One"], 4]);
    const wrong = await api.call("GET", "/api/agents?limit=0", { key: own.keys.viewer });
    expect(wrong).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  });

  it("is found by a part of its name, in capitals or not and without wildcards, and by its id", async () => {
    const { id } = await created({ name: "Booking 100% Line" });
    await created({ name: "Booking 1000 Line" });
    const found = async (search: string) => {
      const { body } = await call("GET", `/api/agents?search=${encodeURIComponent(search)}`);
      return (body.data as { agents: { id: string }[]; total: number }) ?? body;
    };
    expect(await found("100% LINE")).toMatchObject({ agents: [{ id }], total: 1 });
    expect(await found(id)).toMatchObject({ agents: [{ id }], total: 1 });
    expect(await found("no such agent")).toEqual({ agents: [], total: 0 });
  });

  it("that is refused says what is wrong of which field", async () => {
    const creating = await call("POST", "/api/agents", { name: "", brain: BRAIN });
    expect(Object.keys((creating.body.details as Json).fields as Json)).toEqual(["name"]);
    const { id } = await created();
    const changing = await patch(id, { brain: { url: "ftp://brain.example" }, maxDurationMs: 1 });
    expect(Object.keys((changing.body.details as Json).fields as Json)).toEqual(["maxDurationMs"]);
  });

  it("of another organization does not exist, however it is asked for", async () => {
    const other = await api.createOrganization();
    const { id } = await created();
    const asked: [string, string, unknown?][] = [
      ["GET", ""],
      ["PATCH", "", { name: "Mine" }],
      ["DELETE", ""],
      ["GET", "/versions"],
      ["GET", "/versions/1"],
    ];
    for (const [method, path, body] of asked) {
      const answer = await api.call(method, `/api/agents/${id}${path}`, {
        key: other.keys.owner,
        ...(body === undefined ? {} : { body }),
      });
      expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    const list = await api.call("GET", "/api/agents", { key: other.keys.owner });
    expect(list.text).not.toContain(id);
  });

  it("is read by every role, and written by owners, admins and developers", async () => {
    const { id } = await created();
    for (const role of ["owner", "admin", "developer", "member", "viewer"] as const) {
      const key = acme.keys[role];
      const written = role === "member" || role === "viewer" ? [403, 403, 403] : [201, 200, 404];
      const answers = [
        await api.call("POST", "/api/agents", { key, body: { name: "Bob", brain: BRAIN } }),
        await api.call("PATCH", `/api/agents/${id}`, { key, body: { name: role } }),
        await api.call("DELETE", "/api/agents/agt_none", { key }),
      ];
      expect(
        answers.map(({ status }) => status),
        role,
      ).toEqual(written);
      expect((await api.call("GET", `/api/agents/${id}`, { key })).status).toBe(200);
    }
  });

  it("that is created, changed and deleted leaves its trace in the audit log", async () => {
    const { id } = await created();
    await patch(id, { name: "Berta", recording: false });
    await call("DELETE", `/api/agents/${id}`);
    const rows = await api.database.db
      .selectFrom("audit_events")
      .select(["action", "actor_kind", "details"])
      .where("org_id", "=", acme.orgId)
      .where(sql<boolean>`details ->> 'agentId' = ${id}`)
      .orderBy("id")
      .execute();
    expect(rows).toEqual([
      { action: "agent.created", actor_kind: "key", details: { agentId: id } },
      {
        action: "agent.updated",
        actor_kind: "key",
        details: { agentId: id, version: 2, fields: ["name", "recording"] },
      },
      { action: "agent.deleted", actor_kind: "key", details: { agentId: id } },
    ]);
  });
});

describe("changing an agent", () => {
  it("touches the one setting that is named, at any depth", async () => {
    const agent = await created({ turnTaking: { endpointing: { maxMs: 2_000 } }, recording: false });
    const answer = await patch(agent.id, { turnTaking: { endpointing: { minMs: 500 } } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).toBe('"2"');
    const { turnTaking, ...rest } = answer.body.data as Json & { turnTaking: { endpointing: Json } };
    expect(turnTaking.endpointing).toMatchObject({ minMs: 500, maxMs: 2_000, speculative: true });
    expect(rest).toMatchObject({ recording: false, version: 2, brain: agent.brain });
  });

  it("with null puts a setting back to its default, and lists are replaced whole", async () => {
    const { id } = await created({
      firstResponse: "Hi.",
      maxDurationMs: 60_000,
      brain: { ...BRAIN, payload: { tenant: "acme", tier: 1 } },
      variables: [{ name: "a" }, { name: "b" }],
    });
    const { body } = await patch(id, {
      firstResponse: null,
      maxDurationMs: null,
      brain: { payload: { tier: null } },
      variables: [{ name: "c", required: true }],
    });
    expect(body.data).not.toHaveProperty("firstResponse");
    expect(body.data).toMatchObject({
      maxDurationMs: 3_600_000,
      brain: { payload: { tenant: "acme" } },
      variables: [{ name: "c", required: true }],
    });
  });

  it.each<[string, Json, string]>([
    ["an unknown field", { color: "red" }, "color"],
    ["an unknown field inside", { brain: { sealed: "x" } }, "sealed"],
    ["another type", { recording: "yes" }, "recording"],
    ["nothing for its brain", { brain: null }, "brain"],
    ["a list for an object", { turnTaking: [] }, "turnTaking"],
    ["an address that is none", { brain: { url: "brain" } }, "brain.url"],
    ["an empty name", { name: " " }, "name"],
    ["a version that is none", { version: 0 }, "version"],
  ])("with %s is refused by name, and changes nothing", async (_what, body, field) => {
    const { id } = await created();
    const answer = await patch(id, body);
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(answer.body.error).toContain(field);
    expect((await call("GET", `/api/agents/${id}`)).body.data).toMatchObject({ version: 1 });
  });

  it("into what it is already makes no version", async () => {
    const { id } = await created({ recording: false });
    expect((await patch(id, { recording: false, name: "Anna" })).body.data).toMatchObject({ version: 1 });
    expect((await patch(id, {})).body.data).toMatchObject({ version: 1 });
  });

  it("that somebody else changed meanwhile is refused: 412 by If-Match, 409 by version", async () => {
    const { id } = await created();
    expect((await patch(id, { name: "B" }, { "if-match": '"1"' })).status).toBe(200);
    const late = await patch(id, { name: "C" }, { "if-match": '"1"' });
    expect(late).toMatchObject({
      status: 412,
      body: { code: "precondition_failed", details: { version: 2 } },
    });
    const alsoLate = await patch(id, { name: "C", version: 1 });
    expect(alsoLate).toMatchObject({ status: 409, body: { code: "conflict", details: { version: 2 } } });
    expect((await patch(id, { name: "C", version: 2 })).body.data).toMatchObject({ name: "C", version: 3 });
    expect((await patch(id, { name: "D" }, { "if-match": "*" })).status).toBe(200);
    expect((await patch(id, { name: "E" }, { "if-match": "latest" })).status).toBe(400);
  });

  it("from ten sides at once loses no change", async () => {
    const { id } = await created();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => patch(id, { brain: { payload: { [`k${i}`]: i } } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const { data } = (await call("GET", `/api/agents/${id}`)).body as {
      data: { version: number; brain: Json };
    };
    expect(data.version).toBe(11);
    expect(Object.keys(data.brain.payload as Json)).toHaveLength(10);
  });
});

describe("the versions of an agent", () => {
  it("are kept with who made them, the newest first", async () => {
    const agent = await created();
    await patch(agent.id, { recording: false });
    const list = await call("GET", `/api/agents/${agent.id}/versions`);
    expect(list.body.data).toMatchObject({
      total: 2,
      versions: [
        { agentId: agent.id, version: 2, recording: false, createdBy: { kind: "key" } },
        { agentId: agent.id, version: 1, recording: true, name: "Anna", brain: agent.brain },
      ],
    });
    const first = await call("GET", `/api/agents/${agent.id}/versions/1`);
    expect(first.body.data).toMatchObject({ version: 1, recording: true });
    expect((await call("GET", `/api/agents/${agent.id}/versions/3`)).status).toBe(404);
    expect((await call("GET", `/api/agents/${agent.id}/versions/one`)).status).toBe(400);
    expect((await call("GET", "/api/agents/agt_none/versions")).status).toBe(404);
  });
});

describe("deleting an agent", () => {
  it("leaves its versions, and its calls with its id and name", async () => {
    await api.registerNode({ maxCalls: 100 });
    const { id } = await created();
    const begun = await call("POST", "/api/sessions/init-web-call", { agentId: id });
    const { sessionId } = begun.body.data as { sessionId: string };
    expect((await call("DELETE", `/api/agents/${id}`)).body.data).toEqual({ id });
    expect((await call("GET", `/api/agents/${id}`)).status).toBe(404);
    expect((await call("DELETE", `/api/agents/${id}`)).status).toBe(404);
    const record = await call("GET", `/api/v1/calls/${sessionId}`);
    expect(record.body).toMatchObject({ agentId: id, agentName: "Anna", agentVersion: 1 });
    const list = await call("GET", `/api/orgs/${acme.orgId}/calls?agentId=${id}`);
    expect(list.body.data).toMatchObject({ calls: [{ sessionId, agentName: "Anna", agentVersion: 1 }] });
    expect((await call("GET", `/api/agents/${id}/versions/1`)).body.data).toMatchObject({ name: "Anna" });
    expect((await call("POST", "/api/sessions/init-web-call", { agentId: id })).status).toBe(404);
  });

  it("is told on the bus, to every gateway, once; a refused one is not", async () => {
    const told: string[] = [];
    const unsubscribe = await api.bus.channels.subscribe(AGENT_DELETED_CHANNEL, (payload) => {
      told.push(payload);
    });
    onTestFinished(unsubscribe);
    const { id } = await created();
    expect((await call("DELETE", "/api/agents/agt_none")).status).toBe(404);
    expect((await call("DELETE", `/api/agents/${id}`)).status).toBe(200);
    await expect.poll(() => told.length).toBe(1);
    expect(told.map((payload) => agentDeletedSchema.parse(JSON.parse(payload)))).toEqual([
      { orgId: acme.orgId, agentId: id },
    ]);
  });

  it("that something needs is refused with what that is", async () => {
    const { id } = await created();
    await sql`create table phone_lines (agent_id text references agents (id))`.execute(api.database.db);
    onTestFinished(async () => void (await sql`drop table phone_lines`.execute(api.database.db)));
    await sql`insert into phone_lines values (${id})`.execute(api.database.db);
    const answer = await call("DELETE", `/api/agents/${id}`);
    expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(answer.body.error).toContain("phone lines");
    expect((await call("GET", `/api/agents/${id}`)).status).toBe(200);
  });
});
