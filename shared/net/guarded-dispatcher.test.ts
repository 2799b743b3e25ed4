import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../errors.ts";
import { isAllowedAddress, parseCidrs } from "./address-rules.ts";
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

function dispatcher(allowPrivateTargets: string[], addresses: string[] = ["127.0.0.1"]) {
  return createGuardedDispatcher({
    allowPrivateTargets,
    connectTimeoutMs: 1_000,
    connectionsPerHost: 4,
    keepAliveMs: 1_000,
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
  });
}

const GET = { method: "GET", timeoutMs: 2_000, maxResponseBytes: 1_000 } as const;

describe("addresses", () => {
  it.each([
    ...["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"],
    ...[
      "198.18.0.1",
      "192.0.0.1",
      "192.0.2.1",
      "198.51.100.1",
      "203.0.113.1",
      "240.0.0.1",
      "255.255.255.255",
    ],
    ...["224.0.0.1", "168.63.129.16", "::1", "::", "fc00::1", "fe80::1", "ff02::1", "64:ff9b::7f00:1"],
    ...["::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "2001::1", "not an address", "[::1]"],
  ])("refuses %s", (address) => {
    expect(isAllowedAddress(address, [])).toBe(false);
  });

  it.each(["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:8.8.8.8"])(
    "allows %s",
    (address) => {
      expect(isAllowedAddress(address, [])).toBe(true);
    },
  );

  it("allows what the operator opened, and nothing beside it", () => {
    const loopback = parseCidrs(["127.0.0.0/8"]);
    expect(isAllowedAddress("127.0.0.1", loopback)).toBe(true);
    expect(isAllowedAddress("::ffff:127.0.0.1", loopback)).toBe(true);
    expect(isAllowedAddress("10.0.0.1", loopback)).toBe(false);
  });
});

describe("a guarded request", () => {
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
  ])("never connects to %s", async (_what, url, addresses) => {
    let connections = 0;
    const port = await serve((_req, res) => res.end(String(++connections)));
    const attempt = guardedRequest(dispatcher([], addresses), url.replace("{port}", String(port)), GET);
    await expect(attempt).rejects.toMatchObject({ code: "blocked_address" });
    expect(connections).toBe(0);
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
