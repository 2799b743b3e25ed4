import { afterEach, describe, expect, test } from "vitest";
import type { GatedUser } from "../methods/gates.ts";
import type { WindowPlatform } from "../sdk/types/platform.ts";
import { openMock } from "./open-mock.ts";
import { CONTRACT_OBJECTS, CONTRACT_SCOPES, storeContract } from "./store.contract.ts";

const OWNER: GatedUser = { role: "owner", permissions: ["view", "manage_agents"] };
const closing: (() => void)[] = [];

function open(scopes: readonly string[], user: GatedUser = OWNER): WindowPlatform {
  const { platform, close } = openMock({
    manifest: { id: "notes", scopes: [...scopes], objects: CONTRACT_OBJECTS },
    user: () => user,
    init: {
      context: { appId: "notes", pageId: "panel", title: "Notes" },
      user: null,
      settings: { greeting: "Hi" },
      theme: "dark",
    },
    on: { onClosed: () => undefined },
  });
  closing.push(() => close("over"));
  return platform;
}

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe("the mock's store", () => {
  storeContract(async () => open(CONTRACT_SCOPES).data);
});

describe("the mock", () => {
  test("refuses what the manifest has no scope for, and says which", async () => {
    const platform = open(["objects:note", "http:*.example.com"]);
    await expect(platform.data.list("person")).rejects.toMatchObject({
      code: "scope_missing",
      message: expect.stringContaining("objects:person"),
      details: { scope: "objects:person" },
    });
    await expect(platform.ai.models()).rejects.toMatchObject({ code: "scope_missing" });
    await expect(platform.http.fetch({ url: "https://evil.example.org/" })).rejects.toMatchObject({
      code: "scope_missing",
    });
    await expect(platform.http.fetch({ url: "https://api.example.com/" })).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  test("refuses what the role does not permit", async () => {
    const viewer: GatedUser = { role: "viewer", permissions: ["view"] };
    const platform = open(["calls:read", "calls:initiate"], viewer);
    expect(await platform.calls.history()).toEqual([]);
    await expect(platform.calls.initiate("agent_1", "+15550001111")).rejects.toMatchObject({
      code: "role_forbidden",
      message: expect.stringContaining("role does not permit"),
    });
  });

  test("keeps files within the limits of the server's", async () => {
    const { files } = open(["files:read", "files:write"]);
    await files.put("notes/a.md", "# Hi");
    expect(await files.list("notes/")).toMatchObject([{ path: "notes/a.md", sizeBytes: 4 }]);
    expect(await files.extractText("notes/a.md")).toEqual({ text: "# Hi", truncated: false });
    await files.put("notes/long.txt", "x".repeat(200_001));
    expect(await files.extractText("notes/long.txt")).toEqual({ text: "x".repeat(200_000), truncated: true });
    expect(new TextDecoder().decode(await files.get("notes/a.md"))).toBe("# Hi");
    await expect(files.get("../a")).rejects.toMatchObject({ code: "invalid_arguments" });
    await expect(files.get("none")).rejects.toMatchObject({ code: "not_found" });
    expect(await files.delete("notes/a.md")).toEqual({ deleted: true });
  });

  test("takes content of every kind for a file, and says what it does not take", async () => {
    const { files } = open(["files:read", "files:write"]);
    const view = new Uint8Array([0, 1, 2, 3]).subarray(1, 3);
    for (const [body, size] of [
      ["héllo", 6],
      [view, 2],
      [view.buffer, 4],
      [new Blob(["abc"]), 3],
    ] as const)
      expect(await files.put("a.bin", body)).toEqual({ path: "a.bin", size });
    for (const body of [undefined, null, 5, { a: 1 }])
      await expect(files.put("a.bin", body as never)).rejects.toMatchObject({
        name: "PlatformError",
        code: "invalid_arguments",
        message: expect.stringContaining("content"),
      });
  });

  test("takes null for an argument that is left out", async () => {
    const { data } = open(["objects:note"]);
    await data.create("note", { text: "a" });
    expect(await data.list("note", null as never, null as never)).toHaveLength(1);
    await expect(data.create("note", null as never)).rejects.toMatchObject({ code: "invalid_arguments" });
  });

  test("refuses a request that no host would be sent", async () => {
    const { http } = open(["http:api.example.com"]);
    const url = "https://api.example.com/";
    for (const method of ["GET", "HEAD", undefined] as const)
      await expect(http.fetch({ url, body: "x", ...(method && { method }) })).rejects.toMatchObject({
        code: "invalid_arguments",
        message: expect.stringContaining("body"),
      });
    await expect(http.fetch({ url, body: "x", method: "DELETE" })).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  test("streams what its model says, and stops when it is told to", async () => {
    const { ai } = open(["ai:llm"]);
    const request = { messages: [{ role: "user" as const, content: "one two three" }] };
    const tokens: string[] = [];
    const { text, usage } = await ai.llmStream(request, (token) => tokens.push(token));
    expect(usage).toEqual({ inputTokens: 3, outputTokens: 7 });
    expect([tokens.length > 3, tokens.join("")]).toEqual([true, text]);
    const stop = new AbortController();
    const begun: string[] = [];
    const stopped = ai.llmStream(
      request,
      (token) => {
        begun.push(token);
        stop.abort();
      },
      { signal: stop.signal },
    );
    await expect(stopped).rejects.toMatchObject({ code: "canceled" });
    expect(begun).toHaveLength(1);
  });

  test("has the settings, without what every object has", () => {
    const { settings, theme } = open([]);
    expect([settings.get("greeting"), settings.get("constructor"), settings.all()]).toEqual([
      "Hi",
      undefined,
      { greeting: "Hi" },
    ]);
    expect(theme.mode()).toBe("dark");
  });
});
