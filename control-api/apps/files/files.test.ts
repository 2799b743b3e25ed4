import { afterAll, beforeAll, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { pdfFile, wordFile } from "../../../testkit/office-files.ts";
import { TestPerson } from "../../../testkit/person.ts";

const SCOPES = ["files:read", "files:write"];
let api: TestControlApi;
let person: TestPerson;
let appId: string;
let bridge: TestBridge;
beforeAll(async () => {
  api = await TestControlApi.start();
  person = await TestPerson.register(api);
  appId = await installApp(person, { scopes: SCOPES });
  bridge = await TestBridge.open(person, appId);
});
afterAll(() => api.close());

const put = (path: string, body: string) => bridge.callWithBytes("files.put", { path }, body);
const get = async (path: string) => String(await bridge.callWithBytes("files.get", { path }));
const list = (prefix?: string) => bridge.call("files.list", prefix === undefined ? {} : { prefix });

it("stores a file, gives it back as raw bytes, replaces and deletes it", async () => {
  expect(await put("notes/a.txt", "héllo")).toEqual({ path: "notes/a.txt", size: 6 });
  expect(await get("notes/a.txt")).toBe("héllo");
  await put("notes/a.txt", "again");
  await put("other.txt", "x");
  expect(await get("notes/a.txt")).toBe("again");
  expect(await list("notes/")).toEqual([
    {
      path: "notes/a.txt",
      contentType: "application/octet-stream",
      sizeBytes: 5,
      updatedAt: expect.any(String),
    },
  ]);
  expect(await bridge.call("files.delete", { path: "notes/a.txt" })).toEqual({ deleted: true });
  expect(await bridge.call("files.delete", { path: "notes/a.txt" })).toEqual({ deleted: false });
  await expect(get("notes/a.txt")).rejects.toMatchObject({ code: "not_found" });
});

it("lists by any beginning of a path, also one that is no path itself", async () => {
  await put("site/.well-known", "x");
  for (const prefix of ["site/.", "site/", "site/.w"])
    expect(await list(prefix), prefix).toEqual([expect.objectContaining({ path: "site/.well-known" })]);
  for (const prefix of ["site/../", "./", "a\\b"])
    await expect(list(prefix), prefix).rejects.toMatchObject({ code: "invalid_arguments" });
  await bridge.call("files.delete", { path: "site/.well-known" });
});

it("refuses paths that lead anywhere else", async () => {
  for (const path of ["../a", "/a", "a//b", "a/../b", "a\\b", "."])
    await expect(put(path, "x"), path).rejects.toMatchObject({ code: "invalid_arguments" });
});

it("holds an app to its number of files and bytes, and keeps them from other apps", async () => {
  await put("big.bin", "x");
  const files = api.database.db.updateTable("app_files").where("path", "=", "big.bin");
  await files.set({ size_bytes: 1024 ** 3 }).execute();
  await expect(put("more.bin", "x")).rejects.toMatchObject({ code: "quota_exceeded" });
  // What takes the place of another needs no room of its own, and what was deleted is not counted any more.
  expect(await put("big.bin", "xy")).toEqual({ path: "big.bin", size: 2 });
  await put("more.bin", "x");
  await bridge.call("files.delete", { path: "more.bin" });
  // Nobody fills the disk by replacing.
  const waiting = api.database.db.updateTable("app_files").where("hidden_at", "is not", null);
  await waiting.set({ size_bytes: 1024 ** 3 }).execute();
  await expect(put("big.bin", "z")).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 60_000 });
  await waiting.set({ size_bytes: 1 }).execute();
  const other = await TestBridge.open(person, await installApp(person, { id: "other-app", scopes: SCOPES }));
  expect(await other.call("files.list")).toEqual([]);
  expect(await other.call("files.delete", { path: "big.bin" })).toEqual({ deleted: false });
});

it("reads the text of documents, up to what a model takes in one message", async () => {
  const text = (path: string) => bridge.call("files.extractText", { path });
  const store = (path: string, bytes: Uint8Array | string) =>
    bridge.callWithBytes("files.put", { path }, Buffer.from(bytes as string));
  await store("a.docx", wordFile(["# Terms", "Pay within a month."]));
  expect(await text("a.docx")).toEqual({
    text: expect.stringContaining("Pay within a month."),
    truncated: false,
  });
  await store("b.PDF", pdfFile(["Hello from a page"]));
  expect(await text("b.PDF")).toMatchObject({ text: expect.stringContaining("Hello from a page") });
  await store("long.txt", "x".repeat(200_001));
  expect(await text("long.txt")).toEqual({ text: "x".repeat(200_000), truncated: true });
  await store("broken.pdf", "no PDF");
  await expect(text("broken.pdf")).rejects.toMatchObject({ code: "invalid_arguments" });
  await store("image.png", "x");
  await expect(text("image.png")).rejects.toMatchObject({ code: "invalid_arguments" });
  await expect(text("none.txt")).rejects.toMatchObject({ code: "not_found" });
});
