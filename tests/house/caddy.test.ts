import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { needs } from "../../testkit/needs.ts";
import { readText } from "./compose-file.ts";

const PAGE = "<p>Parley</p>".repeat(200);
const TYPES: Readonly<Record<string, string>> = {
  "/page": "text/html; charset=utf-8",
  "/data": "application/json; charset=utf-8",
  "/events": "text/event-stream; charset=utf-8",
};

/** The load balancer's own file in the Caddy of this machine; only where the upstreams are is another matter. */
describe.runIf(needs("caddy"))("the load balancer", () => {
  let folder: string;
  let caddy: ChildProcess;
  let port: number;
  let upstreams: readonly Server[];

  beforeAll(async () => {
    const [api, gateway] = [createUpstream("api"), createUpstream("gateway")];
    upstreams = [api, gateway];
    const sockets = new WebSocketServer({ server: gateway });
    sockets.on("connection", (socket, { url }) => {
      socket.on("message", (data) => socket.send(`${url} ${data}`));
    });
    const [apiPort, gatewayPort, ownPort] = await Promise.all([listen(api), listen(gateway), freePort()]);
    port = ownPort;
    folder = await mkdtemp(join(tmpdir(), "parley-caddy-"));
    const file = join(folder, "Caddyfile");
    const text = readText("ops/caddy/Caddyfile")
      .replace("{re.node.1}:8090", `127.0.0.1:${gatewayPort}`)
      .replace(/dynamic a control-api 8080 \{[^}]*\}/, `to 127.0.0.1:${apiPort}`);
    await writeFile(
      file,
      `{\n\tadmin off\n}\n${isOld() ? text.replace(/^\s*stream_close_delay.*$/m, "") : text}`,
    );
    caddy = spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        PARLEY_HTTP: "http",
        PARLEY_DOMAIN: `127.0.0.1:${port}`,
        PARLEY_APPS_DOMAIN: "localhost:0",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    await servingOf(caddy);
  });
  afterAll(async () => {
    caddy.kill();
    if (caddy.exitCode === null) await once(caddy, "exit");
    for (const server of upstreams) server.close();
    await rm(folder, { recursive: true, force: true });
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

  test.each([
    ["/page", "gzip"],
    ["/data", undefined],
    ["/events", undefined],
  ])("compresses pages, and neither answers nor streams: %s", async (path, encoding) => {
    expect((await ask(path, { "accept-encoding": "gzip" })).encoding).toBe(encoding);
  });
});

/** Debian's Caddy is older than the image of docker-compose.yml and does not know everything in its file. */
function isOld(): boolean {
  const [, major = 0, minor = 0] =
    /v?(\d+)\.(\d+)/.exec(execFileSync("caddy", ["version"], { encoding: "utf8" })) ?? [];
  return Number(major) === 2 && Number(minor) < 7;
}

/** Resolves when it serves. Throws with all it said when it ends before. */
async function servingOf({ stderr }: ChildProcess): Promise<void> {
  let said = "";
  for await (const chunk of stderr!.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes("serving initial configuration")) {
      stderr!.resume();
      return;
    }
  }
  throw new Error(said);
}

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
