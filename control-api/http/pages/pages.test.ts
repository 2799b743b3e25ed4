import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { builtPages } from "../../../testkit/pages.ts";

const BUILD_MS = 120_000;

describe("the pages and their files", () => {
  let pagesDir: string;
  let api: TestControlApi;

  beforeAll(async () => {
    pagesDir = await builtPages();
    api = await TestControlApi.start({ pagesDir });
  }, BUILD_MS);
  afterAll(() => api.close());

  /** As it is on the wire: `fetch` would decode it. */
  async function ask(path: string, headers: Record<string, string> = {}) {
    const { request } = await import("node:http");
    return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
      (resolve, reject) => {
        const asked = request(api.api.baseUrl + path, { headers }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts),
            }),
          );
        });
        asked.on("error", reject);
        asked.end();
      },
    );
  }

  test.each(["/talk", "/sign-in", "/calls", "/", "/settings/calls"])(
    "%s is asked for anew each time",
    async (path) => {
      const page = await ask(path);
      expect(page.status).toBe(200);
      expect(page.headers["cache-control"]).toBe("no-cache");
      const again = await ask(path, { "if-none-match": String(page.headers.etag) });
      expect(again.status, "what did not change is not sent again").toBe(304);
    },
  );

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("an asset is kept for good, and comes as %s of the build", async (encoding, decode) => {
    const names = await readdir(join(pagesDir, "assets"));
    const sizes = await Promise.all(
      names
        .filter((name) => name.endsWith(".js"))
        .map(async (name) => ({ name, bytes: (await stat(join(pagesDir, "assets", name))).size })),
    );
    const name = sizes.toSorted((a, b) => b.bytes - a.bytes)[0]?.name ?? "";
    const plain = await ask(`/assets/${name}`);
    expect(plain.headers["cache-control"]).toBe("public, max-age=2592000, immutable");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const packed = await ask(`/assets/${name}`, { "accept-encoding": encoding });
    expect(packed.headers).toMatchObject({
      "content-encoding": encoding,
      "content-type": expect.stringContaining("javascript"),
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(decode(packed.body).equals(plain.body)).toBe(true);
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
  });

  test("the widget comes compressed, too, under the same address for minutes", async () => {
    const widget = await ask("/widget.js", { "accept-encoding": "gzip, br" });
    expect(widget.headers).toMatchObject({ "content-encoding": "br", "access-control-allow-origin": "*" });
    expect(widget.headers["cache-control"]).toContain("max-age=300");
  });

  test("a page runs its own files only, shows frames of apps only, and asks the browser for the microphone only", async () => {
    const { headers } = await ask("/keys");
    expect(headers["content-security-policy"]).toMatch(/frame-src http:\/\/localhost:\d+$/);
    expect((await ask("/talk")).headers["content-security-policy"]).toContain("frame-src 'none'");
    expect(headers["content-security-policy"]).toContain("default-src 'self'");
    expect(headers["permissions-policy"]).toContain("microphone=(self)");
    expect(headers["permissions-policy"]).toContain("camera=()");
  });

  test("a file that is not there is not remembered", async () => {
    const gone = await ask("/assets/app-00000000.js", { "accept-encoding": "br" });
    expect(gone.status).toBe(404);
    expect(gone.headers["cache-control"] ?? "").not.toContain("immutable");
  });
});
