import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../errors.ts";
import { createGuardedDispatcher } from "./guarded-dispatcher.ts";
import { guardedRequest } from "./guarded-request.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(handle: Parameters<typeof createServer>[1]): Promise<number> {
  const server: Server = createServer(handle as never);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

const GET = { method: "GET", timeoutMs: 2_000, maxResponseBytes: 1_000 } as const;

describe.each([
  ["by any version of HTTP", false],
  ["by HTTP/1.1 only", true],
])("a guarded request %s", (_how, isHttp1Only) => {
  const dispatcher = (allowPrivateTargets: string[], lookUp: () => string[] = () => ["127.0.0.1"]) =>
    createGuardedDispatcher({
      isHttp1Only,
      allowPrivateTargets,
      connectTimeoutMs: 1_000,
      connectionsPerHost: 1,
      keepAliveMs: 1_000,
      resolve: async () => lookUp().map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    });

  it("reaches what is allowed", async () => {
    const port = await serve((_req, res) => res.end("hello"));
    const answer = await guardedRequest(dispatcher(["127.0.0.0/8"]), `http://brain.example:${port}/`, GET);
    expect(answer).toMatchObject({ status: 200, body: Buffer.from("hello") });
  });

  it.each([
    ["a name that resolves to a private address", "http://brain.example:{port}/", ["127.0.0.1"]],
    [
      "a name with one bad address among its answers",
      "http://brain.example:{port}/",
      ["93.184.215.14", "127.0.0.1"],
    ],
    ["an IPv4 literal", "http://127.0.0.1:{port}/", []],
    ["an IPv6 literal in brackets", "http://[::1]:{port}/", []],
    ["IPv4 mapped into IPv6", "http://[::ffff:127.0.0.1]:{port}/", []],
    ["a decimal spelling", "http://2130706433:{port}/", []],
    ["a short spelling", "http://127.1:{port}/", []],
    ["a hexadecimal spelling", "http://0x7f000001:{port}/", []],
    ["an octal spelling", "http://0177.0.0.1:{port}/", []],
    ["a spelling in full-width digits", "http://１２７.0.0.1:{port}/", []],
    ["a spelling that ends in a dot", "http://127.0.0.1.:{port}/", []],
    ["IPv4 at the end of IPv6", "http://[::127.0.0.1]:{port}/", []],
    ["a name without an address", "http://brain.example:{port}/", []],
  ])("never connects to %s", async (_what, url, addresses) => {
    let connections = 0;
    const port = await serve((_req, res) => res.end(String(++connections)));
    const attempt = guardedRequest(
      dispatcher([], () => addresses),
      url.replace("{port}", String(port)),
      GET,
    );
    await expect(attempt).rejects.toMatchObject({ code: "blocked_address" });
    expect(connections).toBe(0);
  });

  it("says how to open an address for development", async () => {
    const attempt = guardedRequest(dispatcher([]), "http://127.0.0.1:1/", GET);
    await expect(attempt).rejects.toThrow("ALLOW_PRIVATE_TARGETS");
  });

  it("vets a name again at each connect, and not while a connection is kept", async () => {
    const port = await serve((req, res) => {
      if (req.url === "/last") res.setHeader("connection", "close");
      res.end("hello");
    });
    const answers = ["127.0.0.1", "10.0.0.1"];
    const client = dispatcher(["127.0.0.0/8"], () => answers.splice(0, 1));
    for (const path of ["/", "/", "/last"])
      expect((await guardedRequest(client, `http://a.example:${port}${path}`, GET)).status).toBe(200);
    expect(answers).toEqual(["10.0.0.1"]);
    const rebound = guardedRequest(client, `http://a.example:${port}/`, GET);
    await expect(rebound).rejects.toMatchObject({ code: "blocked_address" });
  });

  it("tells a name that is not known from one that is blocked", async () => {
    const client = dispatcher([], () => {
      throw new Error("ENOTFOUND");
    });
    const attempt = guardedRequest(client, "http://a.example/", GET);
    await expect(attempt).rejects.toMatchObject({ code: "unavailable" });
  });

  it("ends with the asker's own reason when the asker has given up", async () => {
    const asked = new AbortController();
    const port = await serve(() => asked.abort(new Error("the caller hung up")));
    const request = { ...GET, signal: asked.signal };
    const attempt = guardedRequest(dispatcher(["127.0.0.0/8"]), `http://a.example:${port}/`, request);
    await expect(attempt).rejects.toThrow("the caller hung up");
  });

  it("does not follow a redirect", async () => {
    let second = 0;
    const other = await serve((_req, res) => res.end(String(++second)));
    const port = await serve((_req, res) =>
      res.writeHead(302, { location: `http://x.example:${other}/` }).end(),
    );
    const answer = await guardedRequest(dispatcher(["127.0.0.0/8"]), `http://brain.example:${port}/`, GET);
    expect(answer.status).toBe(302);
    expect(second).toBe(0);
  });

  it("goes the straight way, whatever proxies the environment names", async () => {
    let proxied = 0;
    const proxy = await serve((_req, res) => res.end(String(++proxied)));
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy}`);
      vi.stubEnv(name.toLowerCase(), `http://127.0.0.1:${proxy}`);
    }
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    closers.push(() => void vi.unstubAllEnvs());
    const port = await serve((_req, res) => res.end("hello"));
    const open = dispatcher(["127.0.0.0/8"]);
    const answer = await guardedRequest(open, `http://brain.example:${port}/`, GET);
    expect(String(answer.body)).toBe("hello");
    await expect(guardedRequest(open, `https://brain.example:${port}/`, GET)).rejects.toThrow();
    const blocked = guardedRequest(dispatcher([]), `http://brain.example:${port}/`, GET);
    await expect(blocked).rejects.toMatchObject({ code: "blocked_address" });
    expect(proxied).toBe(0);
  });

  it("waits for a name no longer than for a connection", async () => {
    const client = createGuardedDispatcher({
      isHttp1Only,
      allowPrivateTargets: [],
      connectTimeoutMs: 100,
      connectionsPerHost: 1,
      keepAliveMs: 1_000,
      resolve: () => new Promise(() => undefined),
    });
    const attempt = guardedRequest(client, "http://brain.example/", { ...GET, timeoutMs: 10_000 });
    await expect(attempt).rejects.toMatchObject({
      code: "unavailable",
      cause: { code: "UND_ERR_CONNECT_TIMEOUT" },
    });
  });

  it("is bounded in size and in time", async () => {
    const large = await serve((_req, res) => res.end("x".repeat(2_000)));
    const slow = await serve(() => undefined);
    const open = dispatcher(["127.0.0.0/8"]);
    await expect(guardedRequest(open, `http://a.example:${large}/`, GET)).rejects.toMatchObject({
      code: "response_too_large",
    });
    const hanging = guardedRequest(open, `http://a.example:${slow}/`, { ...GET, timeoutMs: 50 });
    await expect(hanging).rejects.toBeInstanceOf(AppError);
    await expect(hanging).rejects.toMatchObject({ code: "deadline_exceeded" });
  });
});
