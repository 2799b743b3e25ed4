import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  KnowledgeBase,
  KnowledgeDocument,
  KnowledgePassage,
} from "@parley/shared/contracts/knowledge.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestAnswer, TestControlApi } from "../../testkit/control-api.ts";
import { pdfFile, wordFile } from "../../testkit/office-files.ts";
import type { TestOrganization } from "../../testkit/organization.ts";

const SOON = { timeout: 60_000 };

let api: TestControlApi;
let acme: TestOrganization;
let site: Server;
/** Where the site never answers. */
const HANGS = "/hangs";
/** What the site answers, by path. */
const pages = new Map<string, { status?: number; type?: string; body?: string; location?: string }>();

beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true, allowPrivateTargets: ["127.0.0.0/8"] });
  acme = await api.createOrganization();
  site = createServer((request, response) => {
    if (request.url === HANGS) return;
    const {
      status = 200,
      type = "text/html",
      body = "",
      location,
    } = pages.get(request.url ?? "") ?? { status: 404 };
    response.writeHead(location === undefined ? status : 302, {
      "content-type": type,
      ...(location === undefined ? {} : { location }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  site.close();
  site.closeAllConnections();
  await api.close();
});

const urlOf = (path: string): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`;

function call(method: string, path: string, body?: unknown, key = acme.keys.developer): Promise<TestAnswer> {
  const at = `/api/orgs/${acme.orgId}/knowledge-bases${path}`;
  return api.call(method, at, { key, ...(body === undefined ? {} : { body }) });
}

async function newBase(language = "en"): Promise<string> {
  const answer = await call("POST", "", { name: "Help center", language });
  expect(answer.status, answer.text).toBe(201);
  return (answer.body.data as KnowledgeBase).id;
}

const base = async (id: string): Promise<KnowledgeBase> =>
  (await call("GET", `/${id}`)).body.data as KnowledgeBase;

async function added(baseId: string, body: unknown): Promise<string> {
  const answer = await call("POST", `/${baseId}/documents`, body);
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.data).toMatchObject({ state: "queued", error: null, parts: 0 });
  return (answer.body.data as KnowledgeDocument).id;
}

/** The document once it is read, or once that has failed. */
async function read(baseId: string, id: string): Promise<KnowledgeDocument> {
  const state = async () => (await call("GET", `/${baseId}/documents/${id}`)).body.data as KnowledgeDocument;
  await expect.poll(async () => (await state()).state, SOON).toMatch(/ready|failed/);
  return state();
}

const addText = async (baseId: string, name: string, text: string): Promise<KnowledgeDocument> =>
  read(baseId, await added(baseId, { type: "text", name, text }));

async function upload(baseId: string, type: string, file: Uint8Array): Promise<TestAnswer> {
  const url = `http://127.0.0.1:${api.api.port}/api/orgs/${acme.orgId}/knowledge-bases/${baseId}/documents/upload?name=File`;
  const headers = { "x-api-key": acme.keys.developer, "content-type": type };
  const answer = await fetch(url, { method: "POST", headers, body: Buffer.from(file) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
}

async function found(baseId: string, query: string): Promise<KnowledgePassage[]> {
  const answer = await call("GET", `/${baseId}/search?query=${encodeURIComponent(query)}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.data as { passages: KnowledgePassage[] }).passages;
}

const HANDBOOK = `# Returns

Shoes can be sent back within thirty days, unworn and in their box. The customer pays for the parcel.

# Opening hours

We are open on weekdays from nine to five, and on Saturdays from ten to two. The customer can call at any time.

# Delivery

A parcel takes two days, to islands four. The customer gets a number to follow it by.
`;

it("a document says that nobody could read it when each process that did was killed", async () => {
  const id = await newBase();
  const documentId = await added(id, { type: "url", url: urlOf(HANGS) });
  const { db } = api.database;
  const job = () =>
    db
      .selectFrom("jobs")
      .select("state")
      .where(sql<boolean>`payload ->> 'documentId' = ${documentId}`)
      .executeTakeFirstOrThrow();
  await expect.poll(async () => (await job()).state, SOON).toBe("running");
  // As if six processes had died of it.
  await db
    .updateTable("jobs")
    .set({ attempts: 6, lease_epoch: 99, due_at: new Date(0) })
    .where(sql<boolean>`payload ->> 'documentId' = ${documentId}`)
    .execute();
  const error = expect.stringContaining("stopped each time");
  expect(await read(id, documentId)).toMatchObject({ state: "failed", error });
  expect((await job()).state).toBe("dead");
});

describe("a knowledge base", () => {
  it("finds the passage that a question is about, however it is worded, with its heading and document", async () => {
    const id = await newBase();
    const document = await addText(id, "Handbook", HANDBOOK);
    expect(document).toMatchObject({ state: "ready", parts: 3, chars: HANDBOOK.trim().length });
    expect(await base(id)).toMatchObject({ documents: 1, parts: 3 });
    const [first, ...others] = await found(id, "How many days do I have for returning my shoe?");
    expect(first).toMatchObject({ document: "Handbook", documentId: document.id, heading: "Returns" });
    expect(others.every(({ score }) => score < (first?.score ?? 0))).toBe(true);
    expect((await found(id, "when are you open?"))[0]?.heading).toBe("Opening hours");
    expect((await found(id, "an island delivery"))[0]?.heading).toBe("Delivery");
    expect(await found(id, "quantum physics")).toEqual([]);
    expect(await found(id, "'); drop table x; -- \\ & | ! :*")).toEqual([]);
  });

  it("knows words by their stem in its own language", async () => {
    const id = await newBase("de");
    await addText(
      id,
      "Haus",
      "# Zimmer\n\nDie Zimmer haben einen Balkon.\n\n# Parken\n\nParkplätze sind kostenlos.",
    );
    expect((await found(id, "Gibt es einen Parkplatz?"))[0]?.heading).toBe("Parken");
  });

  it("forgets what is deleted, a document or all of it", async () => {
    const id = await newBase();
    const document = await addText(id, "Old", "Unicorns graze in the garden.");
    await addText(id, "New", "The garden has a pond.");
    expect(await found(id, "unicorns")).toHaveLength(1);
    expect((await call("DELETE", `/${id}/documents/${document.id}`)).status).toBe(200);
    expect(await found(id, "unicorns")).toEqual([]);
    expect((await found(id, "garden"))[0]?.document).toBe("New");
    expect(await base(id)).toMatchObject({ documents: 1, parts: 1 });
    expect((await call("DELETE", `/${id}`)).status).toBe(200);
    expect((await call("GET", `/${id}`)).status).toBe(404);
    const left = await api.database.db
      .selectFrom("knowledge_terms")
      .selectAll()
      .where("base_id", "=", id)
      .execute();
    expect(left).toEqual([]);
  });

  it("is not deleted while an agent looks things up in it, and the refusal has the agent's name", async () => {
    const id = await newBase();
    const tool = { kind: "knowledge", name: "look_up", knowledgeBaseIds: [id] };
    const agent = (tools: unknown[]) => ({
      name: "Anna",
      brain: { kind: "model", model: "m", prompt: "Help.", url: "https://model.example/v1", tools },
    });
    const post = (body: unknown) => api.call("POST", "/api/agents", { key: acme.keys.developer, body });
    const made = await post(agent([tool]));
    expect(made.status, made.text).toBe(201);
    const refused = await call("DELETE", `/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toContain('"Anna"');
    const unknown = await post(agent([{ ...tool, knowledgeBaseIds: ["kb_nowhere"] }]));
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain("there is no knowledge base kb_nowhere");
  });

  it("is another organization's: nothing of it is seen, found or changed", async () => {
    const id = await newBase();
    await addText(id, "Secret", "The combination of the safe is seven.");
    const other = await api.createOrganization();
    const theirs = (path: string) =>
      api.call("GET", `/api/orgs/${other.orgId}/knowledge-bases${path}`, { key: other.keys.owner });
    expect((await theirs("")).body.data).toMatchObject({ knowledgeBases: [], total: 0 });
    for (const path of [`/${id}`, `/${id}/search?query=safe`, `/${id}/documents`]) {
      expect((await theirs(path)).status, path).toBe(404);
    }
    const add = `/api/orgs/${other.orgId}/knowledge-bases/${id}/documents`;
    const body = { type: "text", name: "x", text: "x" };
    expect((await api.call("POST", add, { key: other.keys.owner, body })).status).toBe(404);
  });
});

describe("a document", () => {
  it("is uploaded as a PDF, a Word document or a table, by its type", async () => {
    const id = await newBase();
    const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    const files: [string, Uint8Array][] = [
      ["application/pdf", pdfFile(["The museum opens at noon."])],
      [word, wordFile(["# Tickets", "Children enter free."])],
      ["text/csv", new TextEncoder().encode("room,painter\nBlue,Vermeer\nRed,Goya\n")],
    ];
    for (const [type, file] of files) {
      const answer = await upload(id, type, file);
      expect(answer.status, answer.text).toBe(201);
      await read(id, (answer.body.data as KnowledgeDocument).id);
    }
    expect((await found(id, "When does the museum open?"))[0]?.text).toBe("The museum opens at noon.");
    expect((await found(id, "free for children"))[0]).toMatchObject({ heading: "Tickets" });
    expect((await found(id, "Goya"))[0]?.text).toContain("room: Red; painter: Goya");
    expect((await upload(id, "image/png", new Uint8Array([1]))).status).toBe(415);
    expect((await upload(id, "text/plain", new Uint8Array())).status).toBe(400);
  });

  it("that cannot be read says why, and what to do", async () => {
    const id = await newBase();
    const answer = await upload(id, "application/pdf", new TextEncoder().encode("hello"));
    const document = await read(id, (answer.body.data as KnowledgeDocument).id);
    expect(document).toMatchObject({ state: "failed", parts: 0 });
    expect(document.error).toContain("no PDF that can be read");
  });

  it("is a page, read by way of its redirects under its own title, and read again it replaces what was found", async () => {
    const id = await newBase();
    const page = (text: string) => `<title>Prices</title><body><h1>Prices</h1><p>${text}</p></body>`;
    pages.set("/old", { location: "/prices" });
    pages.set("/prices", { body: page("A night costs ninety dollars in the summer season.") });
    const document = await read(id, await added(id, { type: "url", url: urlOf("/old") }));
    expect(document).toMatchObject({ state: "ready", name: "Prices", source: "url", format: "html" });
    expect(await found(id, "ninety")).toHaveLength(1);
    pages.set("/prices", { body: page("A night costs eighty dollars in the winter season.") });
    expect((await call("POST", `/${id}/documents/${document.id}/refresh`)).status).toBe(200);
    await expect.poll(async () => (await found(id, "eighty")).length, SOON).toBe(1);
    expect(await found(id, "ninety")).toEqual([]);
  });

  it("is a page that is gone when it is read again: what was read before is found still, and the state says so", async () => {
    const id = await newBase();
    pages.set("/terms", { type: "text/plain", body: "Pets are welcome." });
    const document = await read(id, await added(id, { type: "url", name: "Terms", url: urlOf("/terms") }));
    pages.set("/terms", { status: 410 });
    await call("POST", `/${id}/documents/${document.id}/refresh`);
    await expect.poll(async () => (await read(id, document.id)).state, SOON).toBe("failed");
    expect((await read(id, document.id)).error).toContain("returned 410");
    expect(await found(id, "pets")).toHaveLength(1);
  });

  it.each([
    ["leads in a circle", "/circle", { location: "/circle" }, "redirects more than 5 times"],
    ["is a picture", "/picture", { type: "image/png", body: "x" }, "is of type image/png"],
    ["is not there", "/missing", { status: 404 }, "returned 404"],
    [
      "leads to a forbidden address",
      "/inward",
      { location: "http://169.254.169.254/latest" },
      "private or reserved",
    ],
  ])("is no page that %s", async (_, path, page, words) => {
    const id = await newBase();
    pages.set(path, page);
    const document = await read(id, await added(id, { type: "url", url: urlOf(path) }));
    expect(document.state).toBe("failed");
    expect(document.error).toContain(words);
  });
});
