import { storableJson } from "@parley/platform/methods/storable.ts";
import { CONTRACT_OBJECTS, CONTRACT_SCOPES, storeContract } from "@parley/platform/mock/store.contract.ts";
import type { Data } from "@parley/platform/sdk/index.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { dataMethods } from "./methods.ts";
import { deleteRemoved } from "./remove-data.ts";

let api: TestControlApi;
let person: TestPerson;
let appId: string;
let bridge: TestBridge;
beforeAll(async () => {
  api = await TestControlApi.start();
  person = await TestPerson.register(api);
  appId = await installApp(person, { scopes: CONTRACT_SCOPES, manifest: { objects: CONTRACT_OBJECTS } });
  bridge = await TestBridge.open(person, appId);
});
afterAll(() => api.close());

const list = (query: object = {}, opts: object = {}) =>
  bridge.call("data.list", { type: "note", query, opts }) as Promise<
    { id: string; data: Record<string, unknown> }[]
  >;
const titles = async (query?: object, opts?: object) =>
  (await list(query, opts)).map(({ data }) => data.title);
const create = (data: object, type = "note") =>
  bridge.call("data.create", { type, data }) as Promise<{ id: string }>;
const empty = async (): Promise<void> => {
  await api.database.db.deleteFrom("app_stores").execute();
};

/** The store as the package has it, over the server. */
function dataOf(): Data {
  const call = (method: string, params: object) => bridge.call(`data.${method}`, params) as Promise<never>;
  return {
    list: (type: string, query?: object, opts?: object) => call("list", { type, query, opts }),
    count: (type: string, query?: object) => call("count", { type, query }),
    create: (type: string, data: object) => call("create", { type, data }),
    update: (type: string, id: string, data: object) => call("update", { type, id, data }),
    remove: (type: string, id: string) => call("remove", { type, id }),
    subscribe: (type: string, onEvent: (event: never) => void) =>
      bridge.subscribe("data.subscribe", { type }, (event) => onEvent(event as never)),
  } as unknown as Data;
}

describe("the server's store", () => {
  storeContract(async () => {
    await empty();
    return dataOf();
  });
});

describe("a list", () => {
  beforeAll(async () => {
    await empty();
    for (let i = 0; i < 30; i++)
      await create({
        title: `t${i}`,
        rank: i,
        parity: i % 2 ? "odd" : "even",
        text: i === 7 ? "a needle in hay" : "hay",
      });
    await create({ title: "no rank", parity: "even" });
  });

  it("puts what has no value of the order's field last, in either direction", async () => {
    const orderBy = { field: "rank", numeric: true };
    expect((await titles({}, { orderBy, limit: 100 })).at(-1)).toBe("no rank");
    expect((await titles({}, { orderBy: { ...orderBy, desc: true }, limit: 100 })).at(-1)).toBe("no rank");
    expect(await titles({ parity: "odd" }, { orderBy: { ...orderBy, desc: true }, limit: 3 })).toEqual([
      "t29",
      "t27",
      "t25",
    ]);
  });

  it("finds words, the best match first, together with a query", async () => {
    expect(await titles({}, { search: "needle" })).toEqual(["t7"]);
    expect(await titles({ parity: "even" }, { search: "needle" })).toEqual([]);
    expect(await titles({}, { search: "nothing of that" })).toEqual([]);
    await expect(bridge.call("data.list", { type: "person", opts: { search: "x" } })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });

  it("is asked for by its own id and times", async () => {
    const [first] = await list({ title: "t3" });
    expect(await titles({ id: first?.id ?? "" })).toEqual(["t3"]);
    expect(await titles({ createdAt: { $gt: "2100-01-01" } })).toEqual([]);
    expect(await titles({ createdAt: { $gt: "2000-01-01" }, rank: { $lt: 2 } })).toEqual(["t1", "t0"]);
    await expect(list({ createdAt: { $gt: "yesterday" } })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });
});

describe("a search", () => {
  const add = async (...texts: string[]): Promise<void> => {
    await empty();
    for (const title of texts) await create({ title });
  };

  it("finds any word of a question, and those first that have its rare ones", async () => {
    const printers = Array.from({ length: 6 }, (_, i) => `The printer ${i} jams.`);
    await add(...printers, "Wants quotations for a scanner", "Scanner and printers");
    expect(await titles({}, { search: "Which printers or scanners are there?" })).toEqual([
      ...["Scanner and printers", "Wants quotations for a scanner", ...printers.toReversed()],
    ]);
    expect(await titles({}, { search: "the quotation" })).toEqual(["Wants quotations for a scanner"]);
    expect(await titles({}, { search: "what is it about" })).toEqual([]);
    expect(await titles({}, { search: "O'Brien\\ & | ! <-> :*" })).toEqual([]);
  });

  it("is limited to the best, meets a query, and is sorted by an order", async () => {
    await add("b red bicycle", "a red car", "c car");
    expect(await titles({}, { search: "red car", limit: 2 })).toEqual(["a red car", "c car"]);
    const orderBy = { field: "title", desc: true };
    expect(await titles({}, { search: "red car", orderBy })).toEqual(["c car", "b red bicycle", "a red car"]);
    const query = { title: { $ne: "a red car" } };
    expect(await titles(query, { search: "red car" })).toEqual(["c car", "b red bicycle"]);
  });
});

describe("what an app sends", () => {
  it("is a parameter and never a statement", async () => {
    await empty();
    const evil = `x'); delete from app_records; --`;
    await create({ title: evil, tick: `"}'` });
    expect(await titles({ title: evil })).toEqual([evil]);
    expect(await titles({ title: { $contains: "'); delete" } })).toEqual([evil]);
    for (const query of [
      { "a'b": 1 },
      { "a->>b": 1 },
      { $where: "1" },
      { title: { $where: "1" } },
      { title: { $regex: "(a+)+$" } },
    ])
      await expect(list(query), JSON.stringify(query)).rejects.toMatchObject({ code: "invalid_arguments" });
    await expect(list({}, { orderBy: { field: "title; drop table x" } })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  });

  it("is refused when it is too deep, too many, or cannot be kept", async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 20; i++) deep = { deep };
    await expect(create({ deep })).rejects.toMatchObject({ code: "invalid_arguments" });
    for (const text of ["a\0b", "\ud800"]) {
      await expect(create({ text })).rejects.toThrow();
      expect(() => storableJson({ text })).toThrow("cannot be kept");
    }
    await expect(list({ rank: { $in: Array(300).fill(1) } })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    await expect(list({}, { limit: 100_000 })).rejects.toMatchObject({ code: "invalid_arguments" });
  });
});

describe("records", () => {
  it("of an app are no other app's, and no other organization's", async () => {
    await empty();
    const { id } = await create({ title: "mine" });
    const other = await TestBridge.open(
      person,
      await installApp(person, { id: "other-app", scopes: CONTRACT_SCOPES }),
    );
    const stranger = await TestPerson.register(api);
    const theirs = await TestBridge.open(stranger, await installApp(stranger, { scopes: CONTRACT_SCOPES }));
    for (const foreign of [other, theirs]) {
      expect(await foreign.call("data.list", { type: "note", query: { id } })).toEqual([]);
      expect(await foreign.call("data.remove", { type: "note", id })).toEqual({ deleted: false });
      const update = foreign.call("data.update", { type: "note", id, data: { title: "theirs" } });
      await expect(update).rejects.toMatchObject({ code: "not_found" });
    }
    expect(await titles()).toEqual(["mine"]);
  });

  it("past the quota are refused, and room that is made can be used", async () => {
    await empty();
    const { id } = await create({ title: "one" });
    await api.database.db
      .updateTable("app_stores")
      .set({ records: 1_000_000 })
      .where("app_id", "=", appId)
      .execute();
    await expect(create({ title: "more" })).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(await titles()).toEqual(["one"]);
    await bridge.call("data.remove", { type: "note", id });
    await create({ title: "another" });
    expect(await titles()).toEqual(["another"]);
  });

  it("that are written at once are all there, and all counted", async () => {
    await empty();
    await Promise.all(Array.from({ length: 20 }, (_, i) => create({ title: `t${i}` })));
    expect(await bridge.call("data.count", { type: "note" })).toEqual({ count: 20 });
    const { rows } = {
      rows: await api.database.db
        .selectFrom("app_stores")
        .select("records")
        .where("app_id", "=", appId)
        .execute(),
    };
    expect(rows).toEqual([{ records: 20 }]);
  });

  it("of an app that is uninstalled are gone for whoever installs it again, and deleted soon after", async () => {
    await empty();
    await create({ title: "old" });
    const path = `/api/orgs/${person.orgId}/apps/${appId}/install`;
    await person.call("DELETE", path);
    await expect(list()).rejects.toMatchObject({ code: "app_gone" });
    await person.call("PUT", path, { version: "1.0.0", scopes: CONTRACT_SCOPES });
    expect(await titles()).toEqual([]);
    await deleteRemoved(api.database, new AbortController().signal);
    expect(await api.database.db.selectFrom("app_records").select("id").execute()).toEqual([]);
  });

  it("are not created by a call that was admitted before its app was uninstalled", async () => {
    await empty();
    const log = createLogger({ level: "silent", format: "json", name: "test" });
    const deps = {
      database: api.database,
      channels: api.bus.channels,
      clock: systemClock,
      log,
      vectors: undefined,
    };
    const admitted = { caller: { orgId: person.orgId, appId, manifest: {} } } as never;
    const late = () =>
      dataMethods(deps)["data.create"]?.({ type: "note", data: { title: "late" } }, admitted);
    await late();
    expect(await titles()).toEqual(["late"]);
    await person.call("DELETE", `/api/orgs/${person.orgId}/apps/${appId}/install`);
    await expect(late()).rejects.toMatchObject({ code: "app_gone" });
    await deleteRemoved(api.database, new AbortController().signal);
    expect(await api.database.db.selectFrom("app_stores").select("id").execute()).toEqual([]);
  });
});
