import { createLogger } from "@parley/shared/log.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { installApp, TestBridge } from "../../../../testkit/apps.ts";
import { TestControlApi } from "../../../../testkit/control-api.ts";
import {
  type FakeEmbeddings,
  startFakeEmbeddings,
} from "../../../../testkit/fakes/embeddings/fake-embeddings.ts";
import { type OpenedVectors, openVectorsAlone } from "../../../../testkit/open-vectors.ts";
import { TestPerson } from "../../../../testkit/person.ts";
import type { EmbeddedTokens } from "../../../knowledge/vectors/count-embedded.ts";
import { embedsRecords } from "./embed-records.ts";
import { stemRecords } from "./stem-records.ts";

const SERVICE = { model: "small", dimensions: 256, minSimilarity: 0.2 };
/** On a busy machine a question's vector may be late, and the words alone count: the next search has it. */
const SOON = { timeout: 90_000 };

let fake: FakeEmbeddings;
let api: TestControlApi;
let opened: OpenedVectors;
const counted: EmbeddedTokens[] = [];

beforeAll(async () => {
  fake = await startFakeEmbeddings({ dimensions: SERVICE.dimensions });
  api = await TestControlApi.start({
    isEmbedded: true, // It has pgvector, which Debian's package of Postgres has not.
    env: {
      EMBEDDINGS_URL: fake.url,
      EMBEDDINGS_MODEL: SERVICE.model,
      EMBEDDINGS_DIMENSIONS: String(SERVICE.dimensions),
      EMBEDDINGS_MIN_SIMILARITY: String(SERVICE.minSimilarity),
    },
  });
  // The server's own rounds come only when a test asks: another process has them.
  await api.database.db
    .updateTable("jobs")
    .set({ state: "running", due_at: new Date("2100-01-01T00:00:00Z") })
    .where("kind", "in", ["embed_app_records", "stem_app_records"])
    .execute();
  opened = openVectorsAlone(api.database, { ...SERVICE, baseUrl: fake.url, apiKey: undefined });
});
afterAll(async () => {
  await opened.close();
  await api.close();
  await fake.close();
});

/** The round that embeds what was written, which comes every ten seconds. */
async function embedNow(): Promise<void> {
  const countEmbedded = async (used: EmbeddedTokens): Promise<void> => void counted.push(used);
  const round = embedsRecords({
    database: api.database,
    log: createLogger({ level: "silent", format: "json", name: "test" }),
    vectors: { ...opened.vectors, countEmbedded },
  });
  const { signal } = new AbortController();
  await round.run({
    jobId: "job",
    orgId: null,
    payload: {},
    attempt: 1,
    signal,
    progress: async () => undefined,
  });
}

class Tickets {
  readonly #bridge: TestBridge;
  readonly person: TestPerson;

  private constructor(person: TestPerson, bridge: TestBridge) {
    this.person = person;
    this.#bridge = bridge;
  }

  static async open(): Promise<Tickets> {
    const person = await TestPerson.register(api);
    const scopes = ["objects:ticket"];
    const id = `desk-${person.orgId.slice(-12)}`;
    const appId = await installApp(person, {
      ...{ id, scopes },
      manifest: { objects: { ticket: { semantic: true } } },
    });
    return new Tickets(person, await TestBridge.open(person, appId));
  }

  async add(data: object): Promise<string> {
    return ((await this.#bridge.call("data.create", { type: "ticket", data })) as { id: string }).id;
  }

  change(id: string, data: object): Promise<unknown> {
    return this.#bridge.call("data.update", { type: "ticket", id, data });
  }

  async found(search: string, opts: object = {}, query: object = {}): Promise<unknown[]> {
    const records = await this.#bridge.call("data.list", {
      type: "ticket",
      query,
      opts: { search, ...opts },
    });
    return (records as { data: { title: string } }[]).map(({ data }) => data.title);
  }

  eventually(search: string, opts?: object, query?: object) {
    return expect.poll(() => this.found(search, opts, query), SOON);
  }
}

describe("records beside an embeddings service", () => {
  it("are found by what they mean, among those that meet the query, in their own organization", async () => {
    const [tickets, others] = [await Tickets.open(), await Tickets.open()];
    await tickets.add({ title: "late", text: "The parcel is overdue", state: "open" });
    await tickets.add({ title: "broken", text: "A window is broken", state: "open" });
    await others.add({ title: "foreign", text: "The parcel is overdue" });
    await embedNow();
    await tickets.eventually("delayed shipments").toEqual(["late"]);
    expect(await tickets.found("delayed shipments", {}, { state: "closed" })).toEqual([]);
  });

  it("are compared by what they say now", async () => {
    const tickets = await Tickets.open();
    const id = await tickets.add({ title: "one", text: "The parcel is overdue" });
    await embedNow();
    await tickets.eventually("delayed shipments").toEqual(["one"]);
    await tickets.change(id, { text: "Wants their money reimbursed" });
    await embedNow();
    await tickets.eventually("a refund").toEqual(["one"]);
    expect(await tickets.found("delayed shipments")).toEqual([]);
  });

  it("count what embedding used for the organization, in the channel of apps", async () => {
    const tickets = await Tickets.open();
    await tickets.add({ title: "one two three" });
    await embedNow();
    const { orgId } = tickets.person;
    expect(counted.filter((used) => used.orgId === orgId)).toMatchObject([
      { model: "small", tokens: 3, channel: "app" },
    ]);
    const bySearch = async () => {
      await tickets.found("four five six seven");
      return api.database.db
        .selectFrom("usage_rows")
        .select(["metric", "channel", "quantity"])
        .where("org_id", "=", orgId)
        .where("metric", "=", "embedding_tokens")
        .execute();
    };
    await expect
      .poll(bySearch, SOON)
      .toContainEqual({ metric: "embedding_tokens", channel: "app", quantity: "4" });
  });

  it("that the service refuses are found by their words, and keep no other waiting", async () => {
    const tickets = await Tickets.open();
    fake.break(({ input }) => (input.some((text) => text.includes("whale")) ? { status: 400 } : undefined));
    onTestFinished(() => fake.break(undefined));
    await tickets.add({ title: "refused", text: "whales" });
    await tickets.add({ title: "taken", text: "The parcel is overdue" });
    await tickets.add({ title: "…", text: "" });
    await embedNow();
    await tickets.eventually("delayed shipments").toEqual(["taken"]);
    expect(await tickets.found("a whale")).toEqual(["refused"]);
    const asked = fake.asked.length;
    await embedNow();
    expect(fake.asked).toHaveLength(asked);
  });

  it("are found by words while the service is down, and embedded once it is back", async () => {
    const tickets = await Tickets.open();
    await tickets.add({ title: "late", text: "The parcel is overdue" });
    fake.break(() => ({ status: 500 }));
    onTestFinished(() => fake.break(undefined));
    await expect(embedNow()).rejects.toThrow("answered 500");
    expect(await tickets.found("where is my parcel")).toEqual(["late"]);
    fake.break(undefined);
    await embedNow();
    await tickets.eventually("shipments that are delayed").toEqual(["late"]);
  });

  it("that the service always fails at keep no other waiting, nor another organization", async () => {
    const [tickets, others] = [await Tickets.open(), await Tickets.open()];
    fake.break(({ input }) => (input.some((text) => text.includes("whale")) ? { status: 500 } : undefined));
    onTestFinished(() => fake.break(undefined));
    await tickets.add({ title: "failed", text: "whales" });
    for (let nr = 0; nr < 64; nr++) await tickets.add({ title: `nr ${nr}`, text: "A window is broken" });
    await tickets.add({ title: "late", text: "The parcel is overdue" });
    await others.add({ title: "theirs", text: "The parcel is overdue" });
    await expect(embedNow()).rejects.toThrow("answered 500");
    await tickets.eventually("delayed shipments").toEqual(["late"]);
    await others.eventually("delayed shipments").toEqual(["theirs"]);
  });

  it("of one organization wait for few of another's, however many it has", async () => {
    const [many, few] = [await Tickets.open(), await Tickets.open()];
    for (let nr = 0; nr < 257; nr++) await many.add({ title: `bulk ${nr}` });
    await few.add({ title: "single" });
    const asked = fake.asked.length;
    await embedNow();
    const texts = fake.asked.slice(asked).map(({ input }) => input.join());
    const nrOf = (title: string): number => texts.findIndex((text) => text.includes(title));
    expect(nrOf("single")).toBeGreaterThan(nrOf("bulk 0"));
    expect(nrOf("single")).toBeLessThan(nrOf("bulk 256"));
  });

  it("that were changed are found by their words alone until they are embedded again", async () => {
    const tickets = await Tickets.open();
    const id = await tickets.add({ title: "one", text: "The parcel is overdue" });
    await embedNow();
    await tickets.eventually("delayed shipments").toEqual(["one"]);
    await tickets.change(id, { text: "Wants their money back" });
    expect(await tickets.found("delayed shipments")).toEqual([]);
    expect(await tickets.found("money")).toEqual(["one"]);
  });

  it("that are changed and changed back are paid for each time", async () => {
    const tickets = await Tickets.open();
    const id = await tickets.add({ title: "one", text: "red" });
    for (const text of ["blue", "red", "blue"]) {
      await embedNow();
      await tickets.change(id, { text });
    }
    await embedNow();
    const sources = counted.filter(({ orgId }) => orgId === tickets.person.orgId).map(({ source }) => source);
    expect(new Set(sources).size).toBe(4);
  });

  it("are cut between characters", async () => {
    const tickets = await Tickets.open();
    await tickets.add({ text: `${"x".repeat(7_999)}😀` });
    await embedNow();
    expect(fake.asked.flatMap(({ input }) => input).every((text) => text.isWellFormed())).toBe(true);
  });

  it("that the version before wrote get stems, and vectors of what it wrote", async () => {
    const tickets = await Tickets.open();
    const id = await tickets.add({ title: "one", text: "The parcel is overdue" });
    await embedNow();
    await api.database.db
      .updateTable("app_records")
      .set({
        data: JSON.stringify({ title: "one", text: "The printers jam" }),
        words: sql`to_tsvector('simple', 'one The printers jam') || ('''§' || store_id || '''')::tsvector`,
      })
      .where("id", "=", id)
      .execute();
    expect(await tickets.found("printer")).toEqual([]);
    await stemRecords(api.database, new AbortController().signal);
    expect(await tickets.found("printer")).toEqual(["one"]);
    expect(await tickets.found("delayed shipments")).toEqual([]);
  });

  it("are embedded again by another model", async () => {
    const tickets = await Tickets.open();
    await tickets.add({ title: "late", text: "The parcel is overdue" });
    await embedNow();
    await api.database.db.updateTable("app_records").set({ embedded_in: "other@3" }).execute();
    await api.database.db.updateTable("app_record_vectors").set({ space: "other@3" }).execute();
    expect(await tickets.found("delayed shipments")).toEqual([]);
    await embedNow();
    await tickets.eventually("delayed shipments").toEqual(["late"]);
  });
});
