import { lookup } from "node:dns";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { type Dispatcher, request } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { selfSigned } from "../../testkit/self-signed.ts";
import { type Clock, systemClock } from "../clock.ts";
import { ManualClock } from "../manual-clock.ts";
import { SpareConnections } from "./spare-connections.ts";

const MAX_AGE_MS = 60_000;
const KEEP_ALIVE_MS = 60_000;

async function serve(answer: RequestListener) {
  const sockets = new Set<Socket>();
  const server = createServer(answer);
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, server, sockets };
}

function open(
  origin: string,
  {
    connections = 2,
    clock = systemClock,
    rejectUnauthorized = true,
  }: { connections?: number; clock?: Clock; rejectUnauthorized?: boolean } = {},
): SpareConnections {
  const clients = new SpareConnections(origin, {
    connections,
    maxAgeMs: MAX_AGE_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    clock,
    socket: { lookup, rejectUnauthorized, timeoutMs: 5_000 },
  });
  onTestFinished(() => clients.destroy());
  return clients;
}

async function post(dispatcher: Dispatcher, origin: string, path = "/"): Promise<string> {
  const { body } = await request(origin + path, { method: "POST", dispatcher, body: "{}" });
  return body.text();
}

/** Answers a request only when told to. */
function held() {
  const waiting: (() => void)[] = [];
  const answer: RequestListener = (_request, response) => waiting.push(() => response.end("late"));
  return { waiting, answer };
}

describe("connections to one origin", () => {
  it("are used again, the one used last first", async () => {
    const { origin, sockets } = await serve((_request, response) => response.end("hello"));
    const clients = open(origin);
    await Promise.all([post(clients, origin), post(clients, origin)]);
    for (let i = 0; i < 5; i++) expect(await post(clients, origin)).toBe("hello");
    expect(sockets.size).toBe(2);
  });

  it("are as many as allowed, and what waits gets the first that is free, in its order", async () => {
    const { waiting, answer } = held();
    const { origin, sockets } = await serve(answer);
    const clients = open(origin);
    const told: number[] = [];
    const posts = Array.from({ length: 6 }, async (_, i) => {
      await post(clients, origin);
      told.push(i);
    });
    for (let n = 0; n < 6; n++) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
      await expect.poll(() => told.length).toBe(n + 1);
    }
    await Promise.all(posts);
    expect(told).toEqual([0, 1, 2, 3, 4, 5]);
    expect(sockets.size).toBe(2);
  });

  it("are made anew for a receiver that closes each", async () => {
    const { origin, sockets } = await serve((_request, response) => {
      response.setHeader("connection", "close");
      response.end("bye");
    });
    const clients = open(origin, { connections: 1 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(clients, origin)));
    expect(answers).toEqual(Array(5).fill("bye"));
    expect(sockets.size).toBe(5);
  });

  it("that break in the middle fail their request only", async () => {
    const { origin } = await serve((message, response) => {
      if (message.url === "/break") message.socket.destroy();
      else response.end("hello");
    });
    const clients = open(origin, { connections: 1 });
    const outcomes = await Promise.allSettled(
      ["/", "/break", "/", "/break", "/"].map((path) => post(clients, origin, path)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...["fulfilled", "rejected"],
      ...["fulfilled", "rejected"],
      "fulfilled",
    ]);
  });

  it("that cannot be made fail what waits for them, and are tried again", async () => {
    const { origin, server } = await serve((_request, response) => response.end("hello"));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const clients = open(origin, { connections: 1 });
    const failed = await Promise.allSettled(Array.from({ length: 3 }, () => post(clients, origin)));
    expect(failed.map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    expect(await post(clients, origin)).toBe("hello");
  });

  it("take nothing new past their age", async () => {
    const clock = new ManualClock();
    const { origin, sockets, server } = await serve((_request, response) => response.end("hello"));
    server.keepAliveTimeout = 2 * MAX_AGE_MS;
    const clients = open(origin, { connections: 1, clock });
    await post(clients, origin);
    clock.advance(MAX_AGE_MS);
    await post(clients, origin);
    expect(sockets.size).toBe(1);
    clock.advance(1);
    await post(clients, origin);
    expect(sockets.size).toBe(2);
  });

  it("are closed when they have not been used for as long as the receiver keeps them", async () => {
    const clock = new ManualClock();
    const { origin, sockets, server } = await serve((_request, response) => response.end("hello"));
    server.keepAliveTimeout = 5_000;
    const clients = open(origin, { connections: 1, clock });
    await post(clients, origin);
    clock.advance(3_000);
    await post(clients, origin);
    expect(sockets.size).toBe(1);
    const closed = new Promise((resolve) => [...sockets].at(0)?.once("close", resolve));
    clock.advance(4_000);
    await closed;
    expect(await post(clients, origin)).toBe("hello");
    expect(sockets.size).toBe(2);
  });

  it("that the receiver ends while nobody uses them cost no request", async () => {
    const { origin, sockets, server } = await serve((_request, response) => response.end("hello"));
    const clients = open(origin, { connections: 1 });
    for (let i = 0; i < 20; i++) {
      expect(await post(clients, origin)).toBe("hello");
      const ended = new Promise((resolve) => [...sockets].at(-1)?.once("close", resolve));
      server.closeIdleConnections();
      await ended;
    }
    expect(sockets.size).toBe(20);
  });

  it("that tell more than was asked end, and it is nobody's answer", async () => {
    const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n";
    const connections: Socket[] = [];
    const server = createTcpServer((socket) => {
      connections.push(socket);
      const isFirst = connections.length === 1;
      socket.on("data", () => socket.write(`${answer}hi${isFirst ? `${answer}no` : ""}`));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      for (const socket of connections) socket.destroy();
      server.close();
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clients = open(origin, { connections: 1 });
    for (let i = 0; i < 3; i++) expect(await post(clients, origin)).toBe("hi");
    expect(connections).toHaveLength(2);
  });

  it("over TLS take their session from the one before", async () => {
    const { cert, key } = await selfSigned("127.0.0.1");
    const resumed: boolean[] = [];
    const server = createTlsServer({ cert, key }, (_request, response) => {
      response.setHeader("connection", "close");
      response.end("x".repeat(100_000));
    });
    server.on("secureConnection", (socket) => resumed.push(socket.isSessionReused()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(post(open(origin), origin)).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    const clients = open(origin, { connections: 1, rejectUnauthorized: false });
    for (let i = 0; i < 3; i++) expect(await post(clients, origin)).toHaveLength(100_000);
    expect(resumed.slice(-2)).toEqual([true, true]);
  });

  it("stay free after a request that is not valid", async () => {
    const { origin } = await serve((_request, response) => response.end("hello"));
    const clients = open(origin, { connections: 1 });
    for (const headers of [
      { "a b": "c" },
      { a: "b\r\nc: d" },
      { host: "other.example" },
      { "content-length": "1" },
    ]) {
      const wrong = request(`${origin}/`, { method: "POST", dispatcher: clients, headers });
      await expect(wrong).rejects.toThrow("invalid header");
    }
    expect(await post(clients, origin)).toBe("hello");
  });
});

describe("closing", () => {
  it("finishes what waits, and takes nothing more", async () => {
    const { waiting, answer } = held();
    const { origin } = await serve(answer);
    const clients = open(origin, { connections: 1 });
    const posts = [post(clients, origin), post(clients, origin)];
    await expect.poll(() => waiting.length).toBe(1);
    const closed = clients.close();
    await expect(post(clients, origin)).rejects.toThrow("closed");
    waiting.shift()?.();
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()?.();
    expect(await Promise.all(posts)).toEqual(["late", "late"]);
    await closed;
  });

  it("at once fails what is under way and what waits", async () => {
    const { waiting, answer } = held();
    const { origin } = await serve(answer);
    const clients = open(origin, { connections: 1 });
    const posts = Promise.allSettled([post(clients, origin), post(clients, origin)]);
    await expect.poll(() => waiting.length).toBe(1);
    await clients.destroy();
    expect((await posts).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
