import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { newId } from "@parley/shared/ids.ts";
import { strFromU8, unzipSync } from "fflate";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TestCampaigns } from "../../../testkit/campaigns.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { FakeGraphApi } from "../../../testkit/fakes/messaging/graph-api.ts";
import { type KeptCall, keepCall } from "../../../testkit/kept-call.ts";
import { memberOnly } from "../../../testkit/members.ts";
import { graphEnv, newContact, TestWhatsApp } from "../../../testkit/messaging.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import type { TestPerson } from "../../../testkit/person.ts";
import { insertLead } from "../../agents/public/store.ts";

const SOON = { timeout: 90_000, interval: 20 };
/** Tables with a session in them and nothing of the people in it. */
const NOT_OF_PEOPLE: Readonly<Record<string, string>> = {
  billed_calls: "what a call cost",
  call_turns: "times",
  client_tokens: "what a visitor's token may do",
  do_not_call: "who is not called again stays known as that",
  forgotten_events: "how far the events of deleted calls are forgotten",
  idempotent_requests: "answers to requests that are repeated; those of chats are erased with the chat",
  refresh_tokens: "sign-ins of members",
  usage_rows: "what a call used",
};

let api: TestControlApi;
let graph: FakeGraphApi;
let acme: TestOrganization;
let admin: TestPerson;

beforeAll(async () => {
  graph = await FakeGraphApi.start();
  api = await TestControlApi.start({
    isEmbedded: true,
    env: graphEnv(graph),
    allowPrivateTargets: ["127.0.0.0/8"],
  });
  await api.registerNode({ maxCalls: 1_000 });
  acme = await api.createOrganization();
  admin = await memberOnly(api, acme.orgId, "admin");
});
afterAll(async () => {
  await api.close();
  graph.close();
});

function ask(method: string, more = "", body?: unknown, orgId = acme.orgId) {
  return admin.call(method, `/api/orgs/${orgId}/personal-data${more}`, body, orgId);
}

async function unzipped(query: string): Promise<Record<string, Uint8Array>> {
  const path = `/api/orgs/${acme.orgId}/personal-data/export?${query}`;
  const response = await fetch(api.api.baseUrl + path, {
    headers: { authorization: `Bearer ${admin.accessToken}`, "x-org-id": acme.orgId },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
  return unzipSync(new Uint8Array(await response.arrayBuffer()));
}

const rowsIn = (files: Record<string, Uint8Array>, name: string): unknown =>
  JSON.parse(strFromU8(files[name] ?? new Uint8Array()));

describe("what is kept of a person", () => {
  const identifier = newId("usr");
  let calls: KeptCall[];
  beforeAll(async () => {
    calls = [
      await keepCall(api, acme, { identifier, said: ["My name is Ada King", "I live in Ghent"] }),
      await keepCall(api, acme, { identifier, said: ["It is me again"] }),
    ];
    await keepCall(api, acme, { identifier: "somebody-else", said: ["Not about Ada"] });
  });

  it("is counted by kind", async () => {
    const { body } = await ask("GET", `?identifier=${identifier}`);
    expect(body.data).toEqual({
      sessions: 2,
      open: 0,
      kinds: [
        { name: "calls", count: 2 },
        { name: "transcript", count: 3 },
        { name: "recordings", count: 2 },
      ],
    });
  });

  it("is handed out as a zip of JSON files and recordings, of nobody else", async () => {
    const files = await unzipped(`identifier=${identifier}`);
    expect(rowsIn(files, "transcript.json")).toMatchObject([
      { text: "My name is Ada King" },
      { text: "I live in Ghent" },
      { text: "It is me again" },
    ]);
    expect(rowsIn(files, "calls.json")).toMatchObject([{ identifier }, { identifier }]);
    const wavs = Object.keys(files).filter((name) => name.endsWith(".wav"));
    expect(wavs.toSorted()).toEqual(
      calls.map(({ sessionId, recordingId }) => `recordings/${sessionId}-${recordingId}.wav`).toSorted(),
    );
    expect(strFromU8((files[wavs[0] ?? ""] ?? new Uint8Array()).slice(0, 4))).toBe("RIFF");
    const one = await unzipped(`sessionId=${calls[1]?.sessionId}`);
    expect(rowsIn(one, "transcript.json")).toMatchObject([{ text: "It is me again" }]);
  });

  it("is handed out whole but for a recording whose file is gone, which is named", async () => {
    const kept = await keepCall(api, acme, { identifier: newId("usr"), said: ["Still here"] });
    await rm(kept.path);
    const files = await unzipped(`sessionId=${kept.sessionId}`);
    expect(rowsIn(files, "transcript.json")).toMatchObject([{ text: "Still here" }]);
    expect(rowsIn(files, "recordings-not-found.json")).toEqual([kept.recordingId]);
  });

  it("is not erased under legal hold", async () => {
    const held = { legalHold: true };
    await admin.call("PATCH", `/api/orgs/${acme.orgId}/retention`, held, acme.orgId);
    expect((await ask("POST", "/erase", { identifier })).status).toBe(409);
    expect((await ask("GET", `?identifier=${identifier}`)).body.data).toMatchObject({ sessions: 2 });
    await admin.call("PATCH", `/api/orgs/${acme.orgId}/retention`, { legalHold: false }, acme.orgId);
  });

  it("is erased with the name it was found by; that there was a call stays", async () => {
    expect((await ask("POST", "/erase", { identifier })).body.data).toEqual({
      erased: 2,
      entries: 0,
      open: 0,
    });
    expect((await ask("GET", `?identifier=${identifier}`)).status).toBe(404);
    for (const { sessionId, path } of calls) {
      const kept = await api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.owner });
      expect(kept.body).toMatchObject({ identifier: null, transcript: [], status: "completed" });
      expect(existsSync(path)).toBe(false);
    }
    const { body } = await admin.call("GET", `/api/orgs/${acme.orgId}/audit`, undefined, acme.orgId);
    const noted = JSON.stringify(body.data);
    expect(noted).toContain("personal_data.erased");
    expect((await ask("GET", "?identifier=somebody-else")).body.data).toMatchObject({ sessions: 1 });
  });

  it("is found by a number as people write it, of the side that was not the organization's", async () => {
    const inbound = await keepCall(api, acme);
    const outbound = await keepCall(api, acme);
    const set = (sessionId: string, direction: string) =>
      api.database.db
        .updateTable("calls")
        .set({ direction, from_number: "+14155550123", to_number: "+14155550199" })
        .where("session_id", "=", sessionId)
        .execute();
    await set(inbound.sessionId, "inbound");
    await set(outbound.sessionId, "outbound");
    const find = async (written: string) =>
      (await ask("GET", `?identifier=${encodeURIComponent(written)}`)).body.data;
    expect(await find("+1 (415) 555-0123")).toMatchObject({ sessions: 1 });
    expect(await find("001 415 555 0199")).toMatchObject({ sessions: 1 });
    await ask("POST", "/erase", { identifier: "+14155550123" });
    const [row] = await api.database.db
      .selectFrom("calls")
      .select(["from_number", "to_number"])
      .where("session_id", "=", inbound.sessionId)
      .execute();
    expect(row).toEqual({ from_number: null, to_number: "+14155550199" });
  });

  it("is of whoever has this very identifier, to its last blank", async () => {
    const [plain, blank] = [newId("usr"), ` ${newId("usr")}`];
    await keepCall(api, acme, { identifier: plain });
    await keepCall(api, acme, { identifier: blank });
    await keepCall(api, acme, { identifier: blank.trim() });
    const find = async (written: string) => ask("GET", `?identifier=${encodeURIComponent(written)}`);
    expect((await find(` ${plain}`)).status).toBe(404);
    expect((await find(blank)).body.data).toMatchObject({ sessions: 1 });
    expect((await ask("POST", "/erase", { identifier: blank })).body.data).toMatchObject({ erased: 1 });
    expect((await find(blank)).status).toBe(404);
    expect((await find(blank.trim())).body.data).toMatchObject({ sessions: 1 });
  });

  it("is nobody's of another organization, and has to be asked for by one thing", async () => {
    const other = await api.createOrganization();
    expect((await ask("GET", "?identifier=x", undefined, other.orgId)).status).toBe(403);
    for (const query of ["", "?identifier=", "?identifier=a&sessionId=b"])
      expect((await ask("GET", query)).status, query).toBe(400);
    expect((await ask("GET", "?identifier=nobody")).status).toBe(404);
  });
});

describe("somebody who never talked to anybody", () => {
  it("is found on campaigns' lists, taken off them, and not called", async () => {
    const campaigns = await TestCampaigns.start(api);
    const phone = "+12025550177";
    const { id } = await campaigns.create();
    await campaigns.addTargets(id, [
      { phone, name: "Cleo" },
      { phone: "+12025550178", name: "Dan" },
    ]);
    const found = await campaigns.call("GET", "/personal-data?identifier=001%20202%20555%200177");
    expect(found.body.data).toEqual({ sessions: 0, open: 0, kinds: [{ name: "campaign-lists", count: 1 }] });
    const erased = await campaigns.call("POST", "/personal-data/erase", { identifier: phone });
    expect(erased.body.data).toEqual({ erased: 0, entries: 1, open: 0 });
    expect(JSON.stringify(await campaigns.targets(id))).not.toMatch(/Cleo|\+12025550177/);
    expect(await campaigns.targets(id)).toMatchObject([
      { state: "done", outcome: "removed", variables: {} },
      { phone: "+12025550178", state: "waiting" },
    ]);
    const again = await campaigns.call("GET", `/personal-data?identifier=${encodeURIComponent(phone)}`);
    expect(again.status).toBe(404);
  });

  it("is found by the templates that were sent to them, and forgotten with the conversation", async () => {
    graph.templates.set("hello", { name: "hello", language: "en", status: "APPROVED", category: "UTILITY" });
    const whatsApp = await TestWhatsApp.start(api, graph, (turn) => turn.done());
    const to = `+${newContact()}`;
    const path = `/whatsapp-cloud/channels/${whatsApp.channelId}/messages`;
    const template = { name: "hello", language: "en" };
    expect((await whatsApp.call("POST", path, { to, template })).status).toBe(202);
    const query = `/personal-data?identifier=${encodeURIComponent(to)}`;
    const found = await whatsApp.call("GET", query);
    expect(found.body.data).toMatchObject({ kinds: [{ name: "conversations-without-a-session", count: 1 }] });
    const erased = await whatsApp.call("POST", "/personal-data/erase", { identifier: to });
    expect(erased.body.data).toEqual({ erased: 0, entries: 1, open: 0 });
    expect((await whatsApp.call("GET", query)).status).toBe(404);
    whatsApp.close();
  });

  it("is not taken off them under legal hold", async () => {
    const campaigns = await TestCampaigns.start(api, { number: "+12025550124" });
    const { id } = await campaigns.create();
    await campaigns.addTargets(id, [{ phone: "+12025550177" }]);
    await campaigns.call("PATCH", "/retention", { legalHold: true });
    const erased = await campaigns.call("POST", "/personal-data/erase", { identifier: "+12025550177" });
    expect(erased.status).toBe(409);
    expect(await campaigns.targets(id)).toMatchObject([{ phone: "+12025550177", state: "waiting" }]);
  });

  it("is found by what they wrote about themselves on a public page, however they wrote it", async () => {
    const lead = (fields: object, sessionId = newId("ses")) =>
      insertLead(api.database.db, {
        id: newId("led"),
        orgId: acme.orgId,
        agentId: acme.agentId,
        sessionId,
        fields: { ...fields },
        at: new Date(),
      });
    await lead({ name: "Eve", email: " Eve@Example.com" });
    await lead({ name: "Eve", phone: "+1 (202) 555-0166" });
    await lead({ name: "Fay", email: "fay@example.com" });
    await lead({ name: "eve@example.com", company: "+12025550166" });
    const files = await unzipped("identifier=eve@example.com");
    expect(rowsIn(files, "leads-without-a-call.json")).toMatchObject([{ fields: { name: "Eve" } }]);
    for (const identifier of ["EVE@example.com", "+12025550166"])
      expect((await ask("POST", "/erase", { identifier })).body.data).toEqual({
        erased: 0,
        entries: 1,
        open: 0,
      });
    const left = await api.database.db.selectFrom("public_leads").select("fields").execute();
    expect(left.map(({ fields }) => fields.name)).toEqual(["Fay", "eve@example.com"]);
  });
});

describe("what a contact of WhatsApp wrote", () => {
  it("is erased with the conversation, once its chat is over", async () => {
    const whatsApp = await TestWhatsApp.start(api, graph, (turn) => {
      turn.token("Noted.");
      turn.done();
    });
    const contact = newContact();
    await whatsApp.say(contact, "I am Bo");
    await whatsApp.textsTo(contact, 1);
    const person = { identifier: `+${contact}` };
    const erase = () => whatsApp.call("POST", "/personal-data/erase", person);
    await vi.waitFor(
      async () => expect((await erase()).body.data).toEqual({ erased: 0, entries: 0, open: 1 }),
      SOON,
    );
    const [session] = await api.database.db
      .selectFrom("calls")
      .select("session_id")
      .where("identifier", "=", person.identifier)
      .execute();
    const made = await whatsApp.call("POST", "/api-keys", { name: "ends chats", role: "developer" });
    const { secret: key } = made.body.data as { secret: string };
    const ended = await api.call("POST", `/api/v1/chat/${session?.session_id}/end`, { key });
    expect(ended.status).toBe(200);
    await vi.waitFor(
      async () => expect((await erase()).body.data).toEqual({ erased: 1, entries: 0, open: 0 }),
      SOON,
    );
    const { body } = await whatsApp.call("GET", "/whatsapp-hub/threads");
    expect(body.data).toEqual({ threads: [] });
    whatsApp.close();
  });
});

describe("a table", () => {
  it("that has sessions is declared as what is kept of people, or is known to have nothing of them", async () => {
    const { rows } = await sql<{ table_name: string }>`
      select table_name from information_schema.columns
      where table_schema = current_schema() and column_name = 'session_id'`.execute(api.database.db);
    const declared = new Set<string>(api.api.personalData.flatMap(({ tables }) => tables));
    const unknown = rows
      .map(({ table_name: name }) => name)
      .filter((name) => !declared.has(name) && !(name in NOT_OF_PEOPLE));
    expect(rows.length).toBeGreaterThan(10);
    expect(unknown).toEqual([]);
  });

  it("is of one kind", () => {
    const tables = api.api.personalData.flatMap(({ tables }) => tables);
    expect(new Set(tables).size).toBe(tables.length);
  });
});
