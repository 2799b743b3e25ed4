import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { ApiError } from "../../api/api-error.ts";
import { CallWatch } from "./call-watch.ts";

const SOON_MS = 90_000;

const said = (text: string): string =>
  JSON.stringify({
    topic: "call.turn",
    sessionId: "ses_1",
    data: { role: "user", turn: 1, text, interrupted: false },
  });
const partial = (text: string): string =>
  JSON.stringify({
    topic: "call.transcript_partial",
    sessionId: "ses_1",
    data: { role: "user", turn: 1, text },
  });
const ENDED = JSON.stringify({
  topic: "call.ended",
  sessionId: "ses_1",
  data: { reason: "hangup", durationSecs: 3 },
});

/** A stream, and somebody who watches it. */
async function setUp() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const sockets: WebSocket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  const network = new EventTarget();
  const tickets = { asked: 0, refusal: undefined as Error | undefined };
  const watch = new CallWatch(async () => {
    tickets.asked += 1;
    if (tickets.refusal) throw tickets.refusal;
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/?ticket=${tickets.asked}`;
  }, network);
  const stop = watch.subscribe(() => undefined);
  onTestFinished(async () => {
    stop();
    for (const socket of sockets) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  const link = () => watch.current().link;
  const connection = (count: number) =>
    vi.waitUntil(
      () => (link() === "live" && sockets.length === count ? sockets[count - 1] : undefined),
      SOON_MS,
    );
  return { watch, network, tickets, sockets, link, connection, stop };
}

describe("watching a call", () => {
  it("gives what the stream tells, and counts what the record has news of", async () => {
    const { watch, connection } = await setUp();
    const socket = await connection(1);
    const news = watch.current().news;
    socket.send(partial("Hel"));
    socket.send(partial("Hello"));
    socket.send("no frame");
    socket.send('{"topic":"call.sang","sessionId":"ses_1","data":{}}');
    socket.send(said("Hello there"));
    await vi.waitUntil(() => watch.current().view.said.length === 1, SOON_MS);
    expect(watch.current().view.said).toMatchObject([{ text: "Hello there" }]);
    expect(watch.current().news - news).toBe(2);
  });

  it("comes back with a new ticket after the stream broke, and asks for what was missed", async () => {
    const { watch, tickets, link, connection } = await setUp();
    const first = await connection(1);
    first.send(partial("Hel"));
    await vi.waitUntil(() => watch.current().view.speaker === "user", SOON_MS);
    const { news } = watch.current();
    first.terminate();
    await vi.waitUntil(() => link() === "lost", SOON_MS);
    expect(watch.current().view).toMatchObject({ open: {}, speaker: undefined });
    await connection(2);
    expect(tickets.asked).toBe(2);
    expect(watch.current().news).toBe(news + 1);
  });

  it("says at once that the network is gone, and comes back with it", async () => {
    const { network, tickets, link, connection } = await setUp();
    await connection(1);
    tickets.refusal = new TypeError("no network");
    network.dispatchEvent(new Event("offline"));
    expect(link()).toBe("lost");
    await vi.waitUntil(() => tickets.asked === 2, SOON_MS);
    tickets.refusal = undefined;
    network.dispatchEvent(new Event("online"));
    await connection(2);
  });

  it("is over when the stream says so, and never connects again", async () => {
    const { watch, network, tickets, link, connection } = await setUp();
    const socket = await connection(1);
    socket.send(ENDED);
    socket.close(1000);
    await vi.waitUntil(() => link() === "over", SOON_MS);
    network.dispatchEvent(new Event("online"));
    expect(watch.current().view.ended).toEqual({ reason: "hangup", durationSecs: 3 });
    expect(tickets.asked).toBe(1);
  });

  it("is over when there is no such live call", async () => {
    const { tickets, link, sockets, connection } = await setUp();
    const socket = await connection(1);
    tickets.refusal = new ApiError(404, { code: "session_ended", error: "It has ended." });
    socket.terminate();
    await vi.waitUntil(() => link() === "over", SOON_MS);
    expect(sockets).toHaveLength(1);
  });

  it("hangs up when nobody listens any more", async () => {
    const { connection, stop } = await setUp();
    const socket = await connection(1);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    stop();
    await closed;
  });
});
