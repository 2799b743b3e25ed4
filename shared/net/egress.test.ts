import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Deadline } from "../brain/deadline.ts";
import { systemClock } from "../clock.ts";
import { ManualClock } from "../manual-clock.ts";
import { createMetrics } from "../metrics.ts";
import { Egress } from "./egress.ts";
import { EGRESS_PURPOSES, type EgressPurpose } from "./egress-purposes.ts";
import { guardedPost } from "./guarded-post.ts";
import { guardedRequest } from "./guarded-request.ts";
import { LookupError } from "./names/lookup-error.ts";
import { NameLookups } from "./names/name-lookups.ts";

const GET = { method: "GET", timeoutMs: 5_000, maxResponseBytes: 1_000 } as const;
const POST = { headers: {}, body: "{}", timeoutMs: 50, keepBytes: 1_000 };
const LOOPBACK = ["127.0.0.0/8"];
const PURPOSES = Object.keys(EGRESS_PURPOSES) as EgressPurpose[];

/** A receiver: `/hang` is never answered, `/cut` loses its connection, `/early` says 103 first. */
async function serve() {
  const hanging = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    if (request.url === "/hang") hanging.resolve();
    else if (request.url === "/cut") request.socket.destroy();
    else if (request.url === "/early")
      response.writeEarlyHints({ link: "</a>; rel=preload" }, () => response.end("late"));
    else response.writeHead(request.url === "/fail" ? 500 : 200).end("hello");
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, hanging: hanging.promise, sockets };
}

function open(allowPrivateTargets: readonly string[] = LOOPBACK) {
  const metrics = createMetrics();
  const resolve = async (host: string) => {
    if (host === "silent.example") throw new LookupError(host, "ETIMEOUT");
    if (host === "gone.example") throw new LookupError(host, "ENOTFOUND");
    return [{ address: "127.0.0.1", family: 4 as const }];
  };
  const names = new NameLookups({ resolve, clock: systemClock });
  const egress = new Egress({ allowPrivateTargets, names, clock: systemClock, metrics });
  onTestFinished(async () => {
    for (const purpose of PURPOSES) await egress.destroy(purpose);
  });
  const counted = async () => {
    const { values } = await metrics.egressRequestsTotal.get();
    return values.map(({ labels, value }) => `${labels.purpose} ${labels.outcome} ${value}`);
  };
  return { egress, counted };
}

it.each([
  ["answered", "an answer", "http://a.example:{port}/"],
  ["answered", "a refusal", "http://a.example:{port}/fail"],
  ["answered", "a hint before the answer", "http://a.example:{port}/early"],
  ["unreachable", "a connection that breaks", "http://a.example:{port}/cut"],
  ["unreachable", "a name that does not exist", "http://gone.example:{port}/"],
  ["timeout", "a name server that is silent", "http://silent.example:{port}/"],
  ["blocked", "a private literal", "http://10.0.0.1:{port}/"],
])("counts once as %s: %s", async (outcome, _what, url) => {
  const { egress, counted } = open();
  const { port } = await serve();
  const dispatcher = egress.to("playback").of("org_1");
  await guardedRequest(dispatcher, url.replace("{port}", String(port)), GET).catch(() => undefined);
  expect(await counted()).toEqual([`playback ${outcome} 1`]);
});

it("counts a name that leads to a private address as blocked", async () => {
  const { egress, counted } = open([]);
  const attempt = guardedRequest(egress.to("brain").of("org_1"), "http://a.example/", GET);
  await expect(attempt).rejects.toMatchObject({ code: "blocked_address" });
  expect(await counted()).toEqual(["brain blocked 1"]);
});

it("counts what takes too long as timeout, whoever held the watch", async () => {
  const { egress, counted } = open();
  const { url, hanging } = await serve();
  const asked = guardedRequest(egress.to("carrier").of("org_1"), `${url}/hang`, { ...GET, timeoutMs: 50 });
  await expect(asked).rejects.toMatchObject({ code: "deadline_exceeded" });
  const posted = guardedPost(egress.to("webhook").of("org_1"), `${url}/hang`, POST);
  await expect(posted).rejects.toMatchObject({ code: "deadline_exceeded" });
  const clock = new ManualClock();
  const deadline = new Deadline(clock);
  deadline.set("first_token_timeout", 1_000, "The brain is late.");
  const signal = deadline.signal;
  const thought = guardedRequest(egress.to("brain").of("org_1"), `${url}/hang`, { ...GET, signal });
  await hanging;
  clock.advance(1_000);
  await expect(thought).rejects.toMatchObject({ failure: "first_token_timeout" });
  await expect.poll(counted).toEqual(["carrier timeout 1", "webhook timeout 1", "brain timeout 1"]);
});

it("counts as aborted what its asker gave up", async () => {
  const { egress, counted } = open();
  const { url, hanging } = await serve();
  const asker = new AbortController();
  const { signal } = asker;
  const asked = guardedRequest(egress.to("brain").of("org_1"), `${url}/hang`, { ...GET, signal });
  await hanging;
  asker.abort();
  await expect(asked).rejects.toThrow();
  expect(await counted()).toEqual(["brain aborted 1"]);
});

it("reaches private addresses for the operator's model service only, unless they are allowed", async () => {
  const { egress } = open([]);
  const { url } = await serve();
  for (const purpose of PURPOSES) {
    const attempt = guardedRequest(egress.to(purpose).of("org_1"), `${url}/`, GET).then(
      ({ status }) => status,
      ({ code }) => code,
    );
    const refusal = EGRESS_PURPOSES[purpose].isHttpsOnlyInProduction ? "bad_request" : "blocked_address";
    expect(await attempt, purpose).toBe(purpose === "model" ? 200 : refusal);
  }
});

it("takes http: for webhooks where private addresses are allowed", async () => {
  const { egress } = open();
  const { url } = await serve();
  expect((await guardedRequest(egress.to("webhook").of("org_1"), `${url}/`, GET)).status).toBe(200);
});

it("opens as many connections to a host as the purpose has, and no more", async () => {
  const { egress } = open();
  const { url, sockets } = await serve();
  const dispatcher = egress.to("playback").of("org_1");
  const { connectionsPerHost } = EGRESS_PURPOSES.playback;
  for (let i = 0; i < connectionsPerHost + 4; i++)
    guardedRequest(dispatcher, `${url}/hang`, GET).catch(() => undefined);
  await expect.poll(() => sockets.size).toBe(connectionsPerHost);
  expect((await guardedRequest(egress.to("carrier").of("org_1"), `${url}/`, GET)).status).toBe(200);
  expect(sockets.size).toBe(connectionsPerHost + 1);
});

it("breaks one purpose off and finishes the others'", async () => {
  const { egress } = open();
  const { url, hanging } = await serve();
  const broken = guardedRequest(egress.to("webhook").of("org_1"), `${url}/hang`, GET);
  await hanging;
  const finished = guardedRequest(egress.to("carrier").of("org_1"), `${url}/`, GET);
  await egress.destroy("webhook");
  await expect(broken).rejects.toMatchObject({ code: "unavailable" });
  await egress.close();
  expect((await finished).status).toBe(200);
});

it("docs/isolation.md gives the limits of every purpose", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/isolation.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \|[^|]*\| ([\d.]+) s \| (\d+) \| ([\d.]+) s \|/gm)];
  const told = rows.map(([, name, connect, perHost, keep]) => [
    name,
    Number(connect),
    Number(perHost),
    Number(keep),
  ]);
  const meant = Object.entries(EGRESS_PURPOSES).map(([name, limits]) => [
    name,
    limits.connectTimeoutMs / 1_000,
    limits.connectionsPerHost,
    limits.keepAliveMs / 1_000,
  ]);
  expect(told).toEqual(meant);
});
