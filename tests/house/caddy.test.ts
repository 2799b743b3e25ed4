import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type LoadBalancer, startLoadBalancer } from "@parley/loadtest/stack/caddy.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { needs } from "../../testkit/needs.ts";

const PAGE = "<p>Parley</p>".repeat(200);
const TYPES: Readonly<Record<string, string>> = {
  "/page": "text/html; charset=utf-8",
  "/data": "application/json; charset=utf-8",
  "/events": "text/event-stream; charset=utf-8",
};

/** The load balancer's own file in the Caddy of this machine; only where the upstreams are is another matter. */
describe.runIf(needs("caddy"))("the load balancer", () => {
  let caddy: LoadBalancer;
  let port: number;
  let upstreams: readonly Server[];

  beforeAll(async () => {
    const [api, later, gateway] = ["api", "later", "gateway"].map(createUpstream) as [Server, Server, Server];
    upstreams = [api, later, gateway];
    const sockets = new WebSocketServer({ server: gateway });
    sockets.on("connection", (socket, { url }) => {
      socket.on("message", (data) => socket.send(`${url} ${data}`));
    });
    const listening = [listen(api), listen(later), listen(gateway), freePort()] as const;
    const [apiPort, laterPort, gatewayPort, ownPort] = await Promise.all(listening);
    port = ownPort;
    caddy = await startLoadBalancer(port, (caddyfile) =>
      caddyfile
        .replace("{re.node.1}:8090", `127.0.0.1:${gatewayPort}`)
        .replace(/dynamic a control-api 8080 \{[^}]*\}/g, `to 127.0.0.1:${apiPort} 127.0.0.1:${laterPort}`),
    );
  });
  afterAll(async () => {
    await caddy.stop();
    for (const server of upstreams) server.close();
  });

  /** The path goes out as it is written. */
  function ask(path: string, headers: Record<string, string> = {}) {
    return new Promise<{ status: number; encoding: string | undefined; body: string }>((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
        let body = "";
        response.on("data", (chunk) => {
          body += String(chunk);
        });
        response.on("end", () => {
          const encoding = response.headers["content-encoding"];
          resolve({ status: response.statusCode ?? 0, encoding, body });
        });
      });
      asked.on("error", reject);
      asked.end();
    });
  }

  test("leads a call's address to its gateway, whichever there are, with its ticket", async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/gateway-37/v1/calls/ses_1?ticket=a.b%2Fc`);
    let encoding: unknown = "not asked yet";
    socket.once("upgrade", ({ headers }) => {
      encoding = headers["content-encoding"];
    });
    socket.once("open", () => socket.send("hello"));
    const [answer] = await once(socket, "message");
    expect(encoding).toBeUndefined();
    expect(String(answer)).toBe("/v1/calls/ses_1?ticket=a.b%2Fc hello");
    socket.close();
  });

  test.each([
    "/postgres/v1/calls/a",
    "/gateway-1x/v1/calls/a",
    "/gateway-1/metrics",
    "/gateway-1/v1/../metrics",
  ])("leads nobody elsewhere: %s", async (path) => {
    expect((await ask(path)).body).not.toMatch(/^gateway \/(metrics|healthz|readyz)|^gateway .*postgres/);
  });

  test.each([
    "/metrics",
    "/metrics/targets",
    "/metrics/%74argets",
    "//metrics",
    "/METRICS",
    "/%6detrics",
    "/healthz",
    "/readyz",
    "/a/../readyz",
  ])("keeps %s to itself", async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  test("gets a page and its files from one control API, of two whose versions may differ, and spreads all else", async () => {
    const whoAnswers = async (path: string, accept: string): Promise<string> =>
      (await ask(path, { accept })).body.split(" ", 1)[0] ?? "";
    const all = (path: string, accept: string) =>
      Promise.all(Array.from({ length: 20 }, () => whoAnswers(path, accept)));
    const pages = await all("/calls", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    const files = await all("/assets/start-abc.js", "*/*");
    expect(new Set([...pages, ...files]).size).toBe(1);
    expect(new Set(await all("/data", "application/json")).size).toBe(2);
  });

  test.each([
    ["/page", "gzip"],
    ["/data", undefined],
    ["/events", undefined],
  ])("compresses pages, and neither answers nor streams: %s", async (path, encoding) => {
    expect((await ask(path, { "accept-encoding": "gzip" })).encoding).toBe(encoding);
  });
});

/** Says who it is and what it was asked for. */
function createUpstream(name: string): Server {
  return createServer(({ url = "" }, response) => {
    response.setHeader("content-type", TYPES[url] ?? "text/plain");
    response.end(url === "/page" ? PAGE : `${name} ${url}${" ".repeat(2_000)}`);
  });
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return port;
}
