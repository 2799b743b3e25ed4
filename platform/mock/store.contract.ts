import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Query, QueryOpts, RecordData } from "../methods/data.ts";
import type { AppRecord, Data } from "../sdk/index.ts";

/** Scopes and types in the manifest of the suite's app. */
export const CONTRACT_SCOPES = ["objects:note", "objects:person"];
export const CONTRACT_OBJECTS = {
  note: {
    semantic: true,
    views: { open: { query: { status: "open" }, orderBy: { field: "rank", numeric: true }, limit: 2 } },
    references: { author: "person" },
  },
};

/** Contract of an app's store, whatever implements it. `open` returns an empty store. */
export function storeContract(open: () => Promise<Pick<Data, keyof Data>>): void {
  let data: Data;
  const titles = async (query: Query = {}, opts: QueryOpts = {}): Promise<unknown[]> =>
    (await data.list("note", query, opts)).map((record: AppRecord) => record.data.title);
  const create = async (...all: RecordData[]): Promise<AppRecord[]> => {
    const made: AppRecord[] = [];
    for (const one of all) made.push(await data.create<Record<string, unknown>>("note", one));
    return made;
  };

  beforeEach(async () => {
    data = await open();
  });

  describe("records", () => {
    test("are kept as they are, changed field by field, and deleted once", async () => {
      const [made] = await create({ title: "a", nested: { deep: [1, null, "ü"] } });
      const id = made?.id ?? "";
      expect(made).toMatchObject({
        objectType: "note",
        data: { title: "a", nested: { deep: [1, null, "ü"] } },
      });
      expect(made?.updatedAt).toBeUndefined();
      const changed = await data.update("note", id, { status: "open" });
      expect(changed.data).toEqual({ title: "a", nested: { deep: [1, null, "ü"] }, status: "open" });
      expect(changed.updatedAt).toEqual(expect.any(String));
      expect(await data.remove("note", id)).toEqual({ deleted: true });
      expect(await data.remove("note", id)).toEqual({ deleted: false });
      await expect(data.update("note", id, { status: "done" })).rejects.toMatchObject({ code: "not_found" });
    });

    test("of one type are none of another", async () => {
      const [made] = await create({ title: "a" });
      expect(await data.list("person")).toEqual([]);
      expect(await data.remove("person", made?.id ?? "")).toEqual({ deleted: false });
      await expect(data.update("person", made?.id ?? "", {})).rejects.toMatchObject({ code: "not_found" });
    });

    test("that no database keeps are refused", async () => {
      const deep = Array.from({ length: 20 }).reduce<RecordData[string]>((inner) => ({ inner }), 1);
      for (const refused of [{ deep }, { text: "\ud800" }])
        await expect(data.create("note", refused)).rejects.toMatchObject({ code: "invalid_arguments" });
    });

    test("larger than 64 KB are refused", async () => {
      await expect(data.create("note", { text: "x".repeat(70_000) })).rejects.toMatchObject({
        code: "too_large",
      });
    });
  });

  describe("a query", () => {
    beforeEach(() =>
      create(
        { title: "one", rank: 1, status: "open", who: { city: "Köln" } },
        { title: "two", rank: 2, status: "done", flag: true, null: "void" },
        { title: "ten", rank: 10, status: "open", flag: null },
        { title: "TEXT", rank: "5", status: "open" },
      ).then(() => undefined),
    );

    test.each<[Query, string[]]>([
      [{ status: "open" }, ["TEXT", "ten", "one"]],
      [{ status: "open", rank: 1 }, ["one"]],
      [{ rank: "5" }, ["TEXT"]],
      [{ flag: true }, ["two"]],
      [{ flag: null }, ["TEXT", "ten", "one"]],
      [{ "who.city": "Köln" }, ["one"]],
      [{ rank: { $eq: 2 } }, ["two"]],
      [{ status: { $ne: "open" } }, ["two"]],
      [{ flag: { $ne: true } }, ["TEXT", "ten", "one"]],
      [{ rank: { $gt: 1 } }, ["ten", "two"]],
      [{ rank: { $gte: 2, $lt: 10 } }, ["two"]],
      [{ rank: { $lte: 2 } }, ["two", "one"]],
      [{ title: { $gt: "one" } }, ["ten", "two"]],
      [{ rank: { $in: [1, 10, "5"] } }, ["TEXT", "ten", "one"]],
      [{ rank: { $in: [] } }, []],
      [{ title: { $contains: "T" } }, ["TEXT", "ten", "two"]],
      [{ title: { $contains: "%" } }, []],
      [{ missing: "x" }, []],
      [{ null: "void" }, ["two"]],
    ])("%j finds what it says, the newest first", async (query, expected) => {
      expect(await titles(query)).toEqual(expected);
      expect(await data.count("note", query)).toEqual({ count: expected.length });
    });

    test("is in the order it asks for, by text or by number, as many as it asks for", async () => {
      const orderBy = { field: "rank", numeric: true };
      expect(await titles({}, { orderBy })).toEqual(["one", "two", "TEXT", "ten"]);
      expect(await titles({}, { orderBy: { ...orderBy, desc: true }, limit: 2 })).toEqual(["ten", "TEXT"]);
      expect(await titles({}, { orderBy: { field: "title" } })).toEqual(["TEXT", "one", "ten", "two"]);
      expect(await titles({}, { orderBy: { field: "createdAt" } })).toEqual(["one", "two", "ten", "TEXT"]);
    });

    test("orders what is equal by age, and what has no value last", async () => {
      const byStatus = { field: "status" };
      expect(await titles({}, { orderBy: byStatus })).toEqual(["two", "one", "ten", "TEXT"]);
      expect(await titles({}, { orderBy: { ...byStatus, desc: true } })).toEqual([
        "TEXT",
        "ten",
        "one",
        "two",
      ]);
      const byFlag = { field: "flag" };
      expect(await titles({}, { orderBy: byFlag })).toEqual(["two", "TEXT", "ten", "one"]);
      expect(await titles({ status: "open" }, { orderBy: byFlag })).toEqual(["TEXT", "ten", "one"]);
      const byTitle = { field: "title", numeric: true };
      expect(await titles({}, { orderBy: byTitle, limit: 2 })).toEqual(["TEXT", "ten"]);
    });

    test("orders texts by the code points of their characters", async () => {
      await create({ title: "🙂" }, { title: "ｱ" });
      const byTitle = { field: "title" };
      expect(await titles({}, { orderBy: byTitle })).toEqual(["TEXT", "one", "ten", "two", "ｱ", "🙂"]);
      expect(await titles({ title: { $gt: "ｱ" } })).toEqual(["🙂"]);
    });

    test("compares the record's own times as times", async () => {
      expect(await titles({ createdAt: { $gt: "2020-01-01" } })).toHaveLength(4);
      expect(await titles({ createdAt: { $lt: "2020-01-01T00:00:00+05:00" } })).toEqual([]);
      expect(await titles({ updatedAt: null, rank: 1 })).toEqual(["one"]);
      await expect(titles({ createdAt: "yesterday" })).rejects.toMatchObject({ code: "invalid_arguments" });
      await expect(titles({ id: { $contains: "o" } })).rejects.toMatchObject({ code: "invalid_arguments" });
    });

    test("searches whole words in types that the manifest says, and no others", async () => {
      await create({ title: "Renew the contract", note: "with the new tariff" });
      await create({ title: "File the contract" });
      expect(await titles({}, { search: "NEW contract" })).toEqual([
        "Renew the contract",
        "File the contract",
      ]);
      expect(await titles({}, { search: "Is there any new tariff for Ada?" })).toEqual([
        "Renew the contract",
      ]);
      expect(await titles({}, { search: "tract" })).toEqual([]);
      await expect(data.list("person", {}, { search: "Ada" })).rejects.toMatchObject({
        code: "invalid_arguments",
      });
    });

    test("takes a view's conditions, order and limit, and adds its own", async () => {
      expect(await titles({}, { view: "open" })).toEqual(["one", "TEXT"]);
      expect(await titles({ rank: 10 }, { view: "open" })).toEqual(["ten"]);
      expect(await titles({}, { view: "open", limit: 3 })).toEqual(["one", "TEXT", "ten"]);
      expect(await titles({ status: "done" }, { view: "open" })).toEqual([]);
      await expect(titles({}, { view: "constructor" })).rejects.toMatchObject({ code: "invalid_arguments" });
    });

    test("brings along the records that others refer to", async () => {
      const author = await data.create<Record<string, unknown>>("person", { name: "Ada" });
      await create({ title: "written", author: author.id }, { title: "lost", author: "rec_none" });
      const [lost, written] = await data.list("note", {}, { expand: ["author"], limit: 2 });
      expect(written?.data).toMatchObject({
        author: author.id,
        author__expanded: { id: author.id, objectType: "person", data: { name: "Ada" } },
      });
      expect(lost?.data).toMatchObject({ author__expanded: null });
      // A field that the manifest does not declare is looked for among all types of the app.
      await create({ title: "reviewed", reviewer: author.id });
      const [reviewed] = await data.list("note", {}, { expand: ["reviewer"], limit: 1 });
      expect(reviewed?.data).toMatchObject({ reviewer__expanded: { ...author } });
    });
  });

  describe("a subscription", () => {
    test("tells of every change of its type, until it is ended", async () => {
      const heard: unknown[] = [];
      const stop = await data.subscribe("note", (event) => heard.push(event));
      const [made] = await create({ title: "a" });
      const id = made?.id ?? "";
      await data.create("person", { name: "Ada" });
      await data.update("note", id, { title: "b" });
      await data.remove("note", id);
      await vi.waitFor(
        () =>
          expect(heard).toEqual([
            { event: "created", objectType: "note", id, data: { title: "a" } },
            { event: "updated", objectType: "note", id, data: { title: "b" } },
            { event: "deleted", objectType: "note", id, data: null },
          ]),
        { timeout: 90_000 },
      );
      stop();
      await create({ title: "c" });
      expect(await data.count("note")).toEqual({ count: 1 });
      expect(heard).toHaveLength(3);
    });
  });
}
