import type {
  KnowledgeBase,
  KnowledgeDocument,
  KnowledgeMeaning,
  KnowledgePassage,
} from "@parley/shared/contracts/knowledge.ts";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import {
  type FakeEmbeddings,
  startFakeEmbeddings,
} from "../../../testkit/fakes/embeddings/fake-embeddings.ts";
import { needs, testPostgresUrl } from "../../../testkit/needs.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";
import { documentsToEmbed } from "./vector-store.ts";

const SOON = { timeout: 90_000 };
const DIMENSIONS = 256;

const HANDBOOK = `# Sending things back

Footwear may come home to us within a month, unworn.

# Kids

Toddlers need no ticket.

# Getting here

The ferry leaves from the old harbor.
`;

let fake: FakeEmbeddings;
let api: TestControlApi;
let acme: TestOrganization;

const environment = (model: string) => ({
  EMBEDDINGS_URL: fake.url,
  EMBEDDINGS_API_KEY: "a-key",
  EMBEDDINGS_MODEL: model,
  EMBEDDINGS_DIMENSIONS: String(DIMENSIONS),
  EMBEDDINGS_MIN_SIMILARITY: "0.2",
});

beforeAll(async () => {
  fake = await startFakeEmbeddings({ dimensions: DIMENSIONS });
});
afterAll(() => fake.close());

/** Where vectors are kept: a Postgres counts if its server has pgvector, which Debian's package of Postgres has not. */
const KEPT_IN = ["the embedded database", ...((await hasPgvector()) ? ["Postgres with pgvector"] : [])];

async function hasPgvector(): Promise<boolean> {
  if (!needs("postgres")) return false;
  const client = new pg.Client(testPostgresUrl());
  await client.connect();
  const { rowCount } = await client.query("select from pg_available_extensions where name = 'vector'");
  await client.end();
  return rowCount !== 0;
}

function startedIn(keptIn: string): void {
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const made = keptIn === "the embedded database" ? undefined : await createTestDatabase();
    drop = made?.drop;
    api = await TestControlApi.start({
      env: environment("small"),
      ...(made ? { databaseUrl: made.url } : { isEmbedded: true }),
    });
    acme = await api.createOrganization();
  });
  afterAll(async () => {
    await api.close();
    await drop?.();
  });
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const at = `/api/orgs/${acme.orgId}/knowledge-bases${path}`;
  const key = acme.keys.developer;
  const answer = await api.call(method, at, { key, ...(body === undefined ? {} : { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.data as T;
}

async function newBase(): Promise<string> {
  return (await call<KnowledgeBase>("POST", "", { name: "Museum" })).id;
}

async function add(baseId: string, name: string, text: string): Promise<KnowledgeDocument> {
  const body = { type: "text", name, text };
  const { id } = await call<KnowledgeDocument>("POST", `/${baseId}/documents`, body);
  const read = () => call<KnowledgeDocument>("GET", `/${baseId}/documents/${id}`);
  await expect.poll(async () => (await read()).state, SOON).toBe("ready");
  return read();
}

const meaning = async () => (await call<{ meaning: KnowledgeMeaning }>("GET", "")).meaning;
const untilEmbedded = () => expect.poll(async () => (await meaning()).waiting, SOON).toBe(0);

async function found(baseId: string, query: string): Promise<KnowledgePassage[]> {
  const path = `/${baseId}/search?query=${encodeURIComponent(query)}`;
  return (await call<{ passages: KnowledgePassage[] }>("GET", path)).passages;
}

/** On a busy machine a question's vector may be late, and the words alone count: the next search has it. */
function eventually(baseId: string, query: string) {
  return expect.poll(async () => (await found(baseId, query)).map(({ heading }) => heading), SOON);
}

/** Takes back what a transaction wrote. */
class Undone extends Error {
  readonly orgIds: readonly string[];
  constructor(orgIds: readonly string[]) {
    super("undone");
    this.orgIds = orgIds;
  }
}

/** The models whose vectors a base has. */
async function spacesOf(baseId: string): Promise<string[]> {
  const { rows } = await sql<{ space: string }>`
    select distinct space from knowledge_vectors where base_id = ${baseId} order by 1`.execute(
    api.database.db,
  );
  return rows.map(({ space }) => space);
}

describe.each(KEPT_IN)("knowledge beside an embeddings service, in %s,", (keptIn) => {
  startedIn(keptIn);

  it("is found by what is meant, and by the words that are said", async () => {
    const id = await newBase();
    await add(id, "Handbook", HANDBOOK);
    await untilEmbedded();
    // No word of it is in the passage: the fake knows "children" and "toddlers" as one concept.
    await eventually(id, "Do children pay admission?").toEqual(["Kids"]);
    expect((await found(id, "the harbor"))[0]?.heading).toBe("Getting here");
    expect(await found(id, "quantum chromodynamics")).toEqual([]);
    expect(fake.asked.every(({ authorization }) => authorization === "Bearer a-key")).toBe(true);
    expect(await meaning()).toEqual({ state: "on", model: "small", why: null, waiting: 0 });
  });

  it("finds nothing of a document that was deleted, nor of another base", async () => {
    const [id, other] = [await newBase(), await newBase()];
    const document = await add(id, "Handbook", HANDBOOK);
    await add(other, "Other", "# Prams\n\nInfants ride in prams.");
    await untilEmbedded();
    await eventually(id, "Are children welcome?").toEqual(["Kids"]);
    await call("DELETE", `/${id}/documents/${document.id}`);
    expect(await found(id, "Are children welcome?")).toEqual([]);
    expect(await spacesOf(id)).toEqual([]);
  });

  it("counts what embedding used for the organization, once", async () => {
    const id = await newBase();
    await add(id, "Counted", "# Prices\n\nOne two three four five.");
    await untilEmbedded();
    const used = () =>
      api.database.db
        .selectFrom("usage_rows")
        .select(["metric", "vendor", "channel", "quantity", "session_id"])
        .where("org_id", "=", acme.orgId)
        .where("metric", "=", "embedding_tokens")
        .execute();
    const line = { metric: "embedding_tokens", vendor: "small", channel: "knowledge", session_id: null };
    await expect.poll(used, SOON).toContainEqual({ ...line, quantity: "6" });
    const usedBySearch = async () => {
      await found(id, "tariffs for nine museum guests");
      return used();
    };
    await expect.poll(usedBySearch, SOON).toContainEqual({ ...line, quantity: "5" });
  });

  it("is found by its words while the service fails, hangs, or answers with other vectors", async () => {
    const id = await newBase();
    await add(id, "Handbook", HANDBOOK);
    await untilEmbedded();
    const faults = [{ status: 500 }, { kind: "hang" }, { dimensions: 3 }] as const;
    for (const [nr, fault] of faults.entries()) {
      fake.break(() => fault);
      const passages = await found(id, `Is there a ferry number ${nr}?`);
      expect(passages.map(({ heading }) => heading)).toEqual(["Getting here"]);
    }
    fake.break(undefined);
  });

  it("embeds what was read while the service failed, and leaves what the service refuses to its words", async () => {
    const id = await newBase();
    fake.break(({ input }) =>
      input.some((text) => text.includes("unspeakable")) ? { status: 400 } : undefined,
    );
    await add(id, "Refused", "# Odd\n\nSomething unspeakable about whales.");
    await add(id, "Taken", "# Infants\n\nInfants are welcome.");
    await untilEmbedded();
    fake.break(undefined);
    await eventually(id, "Are kids allowed?").toEqual(["Infants"]);
    expect((await found(id, "whales"))[0]?.heading).toBe("Odd");
  });

  it("waits for a few documents of another organization, however many it has", async () => {
    const other = await api.createOrganization();
    const { id } = await add(await newBase(), "Handbook", HANDBOOK);
    await untilEmbedded();
    const turns = api.database.db.transaction().execute(async (trx) => {
      const copies = (of: { nr: number; orgId: string; upTo: number }) =>
        sql`
        insert into knowledge_documents
        select (jsonb_populate_record(d, jsonb_build_object(
          'id', d.id || '-' || ${of.nr}::int || '-' || nr, 'org_id', ${of.orgId}::text, 'url', null, 'embedded_in', null))).*
        from knowledge_documents d, generate_series(1, ${of.upTo}::int) nr where d.id = ${id}`.execute(trx);
      await copies({ nr: 1, orgId: acme.orgId, upTo: 200 });
      await copies({ nr: 2, orgId: other.orgId, upTo: 1 });
      const next = await documentsToEmbed(trx, `small@${DIMENSIONS}`, { ofEach: 3, limit: 100 });
      throw new Undone(next.map(({ orgId }) => orgId));
    });
    const { orgIds } = (await turns.catch((error: unknown) => error)) as Undone;
    expect(orgIds.toSorted()).toEqual([acme.orgId, acme.orgId, acme.orgId, other.orgId].toSorted());
  });

  it("is embedded again by another model, and compared with no vector of the one before", async () => {
    const id = await newBase();
    await add(id, "Handbook", HANDBOOK);
    await untilEmbedded();
    expect(await spacesOf(id)).toEqual([`small@${DIMENSIONS}`]);
    await api.database.db.updateTable("knowledge_documents").set({ embedded_in: "other@3" }).execute();
    await sql`update knowledge_vectors set space = 'other@3', embedding = '{1,2,3}'`.execute(api.database.db);
    expect(await found(id, "Do children pay admission?")).toEqual([]);
    await add(await newBase(), "News", "Whatever is read next.");
    await untilEmbedded();
    expect(await spacesOf(id)).toEqual([`small@${DIMENSIONS}`]);
    await eventually(id, "Do children pay admission?").toEqual(["Kids"]);
  });
});

describe.runIf(needs("postgres"))("knowledge in Postgres", () => {
  it("is searched by words where pgvector is missing, and says so", async () => {
    const made = await createTestDatabase();
    const own = await TestControlApi.start({ env: environment("small"), databaseUrl: made.url });
    onTestFinished(async () => {
      await own.close();
      await made.drop();
    });
    const org = await own.createOrganization();
    const bases = `/api/orgs/${org.orgId}/knowledge-bases`;
    const key = org.keys.developer;
    const { rows } = await sql`select from pg_available_extensions where name = 'vector'`.execute(
      own.database.db,
    );
    const state = rows.length > 0 ? "on" : "unavailable";
    const listed = await own.call("GET", bases, { key });
    expect(listed.body.data).toMatchObject({ meaning: { state, model: "small" } });
    if (state === "unavailable") expect(own.logged.join("")).toContain("vectors_unavailable");
    const { id } = (await own.call("POST", bases, { key, body: { name: "Museum" } })).body
      .data as KnowledgeBase;
    const body = { type: "text", name: "Handbook", text: HANDBOOK };
    await own.call("POST", `${bases}/${id}/documents`, { key, body });
    const search = async () => (await own.call("GET", `${bases}/${id}/search?query=harbor`, { key })).text;
    await expect.poll(search, SOON).toContain("The ferry leaves from the old harbor.");
  });
});
