import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { TestNameServer, type Zone } from "../../testkit/name-server.ts";
import { type Clock, systemClock } from "../clock.ts";
import { ManualClock } from "../manual-clock.ts";
import { GuardedDispatchers } from "./guarded-dispatchers.ts";
import { guardedPost } from "./guarded-post.ts";
import { guardedRequest } from "./guarded-request.ts";
import { NameLookups } from "./names/name-lookups.ts";
import { createSystemResolver } from "./names/system-resolver.ts";

const GET = { method: "GET", timeoutMs: 5_000, maxResponseBytes: 1_000 } as const;
const POST = { headers: {}, body: "{}", timeoutMs: 5_000, keepBytes: 1_000 };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A receiver on loopback; `/hang` is never answered. */
async function serve(ip = "127.0.0.1", port = 0): Promise<{ port: number; paths: string[]; server: Server }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    if (request.url !== "/hang") response.end(ip);
  });
  await new Promise<void>((resolve) => server.listen(port, ip, resolve));
  closers.push(() => server.close().closeAllConnections());
  return { port: (server.address() as AddressInfo).port, paths, server };
}

interface Opened {
  readonly clock?: Clock;
  readonly connectionsPerHost?: number;
  readonly isHttp1Only?: boolean;
}

async function open(
  zones: Record<string, Zone>,
  { clock = systemClock, connectionsPerHost = 4, isHttp1Only = false }: Opened = {},
) {
  const nameServer = await TestNameServer.start(zones);
  const resolve = createSystemResolver({ clock: systemClock, servers: [nameServer.address], tryMs: 100 });
  const dispatchers = new GuardedDispatchers({
    allowPrivateTargets: ["127.0.0.0/30"],
    connectTimeoutMs: 2_000,
    connectionsPerHost,
    isHttp1Only,
    keepAliveMs: 10_000,
    names: new NameLookups({ resolve, clock: systemClock }),
    clock,
    onOutcome: () => undefined,
  });
  closers.push(() => {
    nameServer.close();
    void dispatchers.close();
  });
  return { nameServer, dispatchers };
}

describe.each([false, true])("requests of organizations, HTTP/1.1 only: %j", (isHttp1Only) => {
  it("to one host wait for their own organization's connections only", async () => {
    const { dispatchers } = await open({ "shared.example": ["127.0.0.1"] }, { isHttp1Only });
    const { port, paths } = await serve();
    const url = `http://shared.example:${port}`;
    for (let i = 0; i < 20; i++)
      guardedPost(dispatchers.of("org_1"), `${url}/hang`, POST).catch(() => undefined);
    await expect.poll(() => paths.length).toBe(4);
    expect(await guardedPost(dispatchers.of("org_2"), `${url}/`, POST)).toMatchObject({ status: 200 });
    expect(paths.filter((path) => path === "/hang")).toHaveLength(4);
  });

  it("to silent name servers keep no other's names waiting, and say what they waited for", async () => {
    const { dispatchers } = await open(
      { "silent.example": "silence", "well.example": ["127.0.0.1"] },
      { isHttp1Only },
    );
    const { port } = await serve();
    const waiting = Array.from({ length: 24 }, (_, i) =>
      guardedPost(dispatchers.of("org_1"), `http://silent.example:${port + i}/`, POST),
    );
    const failed = Promise.allSettled(waiting);
    const answer = await guardedPost(dispatchers.of("org_2"), `http://well.example:${port}/`, POST);
    expect(answer).toMatchObject({ status: 200 });
    for (const outcome of await failed) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { code: "unavailable", cause: { name: "LookupError", code: "ETIMEOUT" } },
      });
    }
  });

  it("are vetted on what the name server says at the connect", async () => {
    const zones = {
      "inside.example": ["127.0.0.9"],
      "mixed.example": ["127.0.0.1", "::1"],
      "mixed4.example": ["127.0.0.1", "10.0.0.1"],
      "closing.example": ["127.0.0.1"],
    };
    const { dispatchers, nameServer } = await open(zones, { isHttp1Only });
    const { port, paths, server } = await serve();
    const get = (name: string) => guardedRequest(dispatchers.of("org_1"), `http://${name}:${port}/`, GET);
    for (const name of ["inside.example", "mixed.example", "mixed4.example"])
      await expect(get(name)).rejects.toMatchObject({ code: "blocked_address" });
    expect(paths).toEqual([]);
    expect((await get("closing.example")).status).toBe(200);
    nameServer.zones.set("closing.example", ["127.0.0.9"]);
    server.closeAllConnections();
    await expect.poll(() => get("closing.example").catch(({ code }) => code)).toBe("blocked_address");
  });
});

describe.each([false, true])("a connection, HTTP/1.1 only: %j", (isHttp1Only) => {
  it("has a maximum age: who moved is followed, and a name that is gone is noticed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { dispatchers, nameServer } = await open(
      { "moving.example": ["127.0.0.1"] },
      { connectionsPerHost: 1, isHttp1Only },
    );
    const { port } = await serve("127.0.0.1");
    await serve("127.0.0.2", port);
    const get = () => guardedRequest(dispatchers.of("org_1"), `http://moving.example:${port}/`, GET);
    const answer = async () => String((await get()).body);
    expect(await answer()).toBe("127.0.0.1");
    nameServer.zones.set("moving.example", ["127.0.0.2"]);
    expect(await answer()).toBe("127.0.0.1");
    vi.setSystemTime(Date.now() + 61_000);
    expect(await answer()).toBe("127.0.0.2");
    nameServer.zones.set("moving.example", "nxdomain");
    vi.setSystemTime(Date.now() + 61_000);
    await expect(get()).rejects.toMatchObject({ cause: { code: "ENOTFOUND" } });
  });

  it("of an organization that sends nothing for long is closed; what is under way is finished", async () => {
    const clock = new ManualClock();
    const { dispatchers } = await open({ "a.example": ["127.0.0.1"] }, { clock, isHttp1Only });
    const { port } = await serve();
    const first = dispatchers.of("org_1");
    const inFlight = guardedRequest(first, `http://a.example:${port}/`, GET);
    clock.advance(5 * 60_000);
    clock.advance(5 * 60_000);
    expect(dispatchers.of("org_1")).not.toBe(first);
    expect((await inFlight).status).toBe(200);
  });
});
