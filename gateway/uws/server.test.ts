import { once } from "node:events";
import { createLogger } from "@parley/shared/log.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { startServer } from "./server.ts";
import type { SendResult, SocketHandler, SocketPort, SocketRoute } from "./socket-port.ts";
import type { SocketLimits } from "./websocket.ts";

const quiet: SocketHandler = { onText: () => undefined, onBinary: () => undefined, onClose: () => undefined };

function admitting(open: (socket: SocketPort) => SocketHandler): SocketRoute {
  return { admit: async () => ({ ok: true, open }) };
}

async function serve(calls: SocketRoute, limits: Partial<SocketLimits> = {}) {
  const refused: string[] = [];
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    limits: { maxMessageBytes: 1_024, maxBufferedBytes: 64 * 1_024, idleTimeoutSecs: 8, ...limits },
    calls,
    streams: calls,
    media: calls,
    onRefused: (reason) => refused.push(reason),
    onCallSockets: () => undefined,
    onWatchers: () => undefined,
    readiness: () => ({ ready: true }),
    metricsText: async () => ({ contentType: "text/plain", text: "" }),
    log: createLogger({ level: "silent", format: "json", name: "test" }),
  });
  onTestFinished(() => server.close());
  const connect = (options: ClientOptions = {}): WebSocket => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/v1/calls/ses_1?ticket=t`, options);
    socket.on("error", () => undefined);
    onTestFinished(() => socket.terminate());
    return socket;
  };
  return { httpUrl: `http://127.0.0.1:${server.port}`, connect, refused };
}

/** The code a socket is closed with. */
async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, "close")) as [number];
  return code;
}

/** What an upgrade is refused with. */
async function refusal(socket: WebSocket): Promise<{ status: number; code: unknown; retryAfter: unknown }> {
  const [, response] = await once(socket, "unexpected-response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { code } = JSON.parse(Buffer.concat(chunks).toString());
  return { status: response.statusCode, code, retryAfter: response.headers["retry-after"] };
}

function fail(): never {
  throw new Error("a fault in a handler");
}

describe("a fault of ours costs one socket, never the process", () => {
  it("while an upgrade is decided: 500", async () => {
    const { connect, httpUrl } = await serve({ admit: async () => fail() });
    expect(await refusal(connect())).toMatchObject({ status: 500, code: "internal" });
    expect((await fetch(`${httpUrl}/healthz`)).status).toBe(200);
  });

  it("when a socket opens: 1013", async () => {
    const { connect, httpUrl } = await serve(admitting(fail));
    expect(await closeCode(connect())).toBe(1013);
    expect((await fetch(`${httpUrl}/healthz`)).status).toBe(200);
  });

  it.each(["onText", "onBinary", "onClose"] as const)("in %s", async (method) => {
    const { connect, httpUrl } = await serve(admitting(() => ({ ...quiet, [method]: fail })));
    const socket = connect();
    await once(socket, "open");
    if (method === "onClose") socket.close(1000);
    else socket.send(method === "onText" ? "text" : Buffer.alloc(8));
    expect(await closeCode(socket)).toBe(method === "onClose" ? 1000 : 1013);
    expect((await fetch(`${httpUrl}/healthz`)).status).toBe(200);
  });
});

describe("a route with all its slots taken", () => {
  it("refuses with 503 and Retry-After, and takes the next one when somebody left", async () => {
    const { connect, refused } = await serve(
      admitting(() => quiet),
      { maxSocketsPerRoute: 1 },
    );
    const first = connect();
    await once(first, "open");
    expect(await refusal(connect())).toEqual({ status: 503, code: "unavailable", retryAfter: "2" });
    expect(refused).toEqual(["unavailable"]);
    first.close();
    await once(first, "close");
    await once(connect(), "open");
  });

  it("gives the seat back of one that was refused, failed, or left before the decision", async () => {
    const answers: (() => Promise<Awaited<ReturnType<SocketRoute["admit"]>>>)[] = [
      async () => ({ ok: false, status: 401, code: "ticket_invalid", message: "No." }),
      async () => fail(),
    ];
    let decide: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const asked: string[] = [];
    const route: SocketRoute = {
      admit: async ({ sessionId }) => {
        asked.push(sessionId);
        const answer = answers.shift();
        if (answer) return answer();
        if (asked.length === 3) await slow;
        return { ok: true, open: () => quiet };
      },
    };
    const { connect } = await serve(route, { maxSocketsPerRoute: 1 });
    expect(await refusal(connect())).toMatchObject({ status: 401 });
    expect(await refusal(connect())).toMatchObject({ status: 500 });
    const leaver = connect();
    await expect.poll(() => asked.length).toBe(3);
    leaver.terminate();
    decide();
    await expect.poll(() => connectOutcome(connect())).toBe("open");
  });
});

/** Whether a socket opens; one that does stays open. */
async function connectOutcome(socket: WebSocket): Promise<"open" | "refused"> {
  return new Promise((resolve) => {
    socket.once("open", () => resolve("open"));
    socket.once("unexpected-response", () => resolve("refused"));
  });
}

describe("messages", () => {
  it("of exactly the limit arrive, of one byte more close with 1009", async () => {
    const lengths: number[] = [];
    const { connect } = await serve(
      admitting(() => ({ ...quiet, onBinary: (bytes) => lengths.push(bytes.length) })),
    );
    const socket = connect();
    await once(socket, "open");
    socket.send(Buffer.alloc(1_024));
    socket.send(Buffer.alloc(1_025));
    socket.send(Buffer.alloc(8));
    expect(await closeCode(socket)).toBe(1009);
    expect(lengths).toEqual([1_024]);
  });

  it("of text that is not UTF-8 close the socket", async () => {
    const { connect } = await serve(admitting(() => ({ ...quiet, onText: fail })));
    const socket = connect();
    await once(socket, "open");
    socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect([1006, 1007]).toContain(await closeCode(socket));
  });

  it("to a reader that stopped wait up to the limit, then are dropped; it is told when it has caught up", async () => {
    let port: SocketPort | undefined;
    let drained = 0;
    const { connect } = await serve(
      admitting((opened) => {
        port = opened;
        return {
          ...quiet,
          onDrain: () => {
            drained += 1;
          },
        };
      }),
    );
    const socket = connect();
    await once(socket, "open");
    socket.pause();
    const results = new Set<SendResult | undefined>();
    const frame = Buffer.alloc(16 * 1_024);
    for (let sent = 0; sent < 2_000 && !results.has("dropped"); sent++) results.add(port?.sendBinary(frame));
    expect(results).toEqual(new Set(["sent", "buffered", "dropped"]));
    expect(port?.bufferedBytes).toBeLessThan(64 * 1_024 + 2 * frame.length);
    socket.resume();
    await expect.poll(() => drained).toBeGreaterThan(0);
  });

  it("to a socket that is closed are dropped without an error", async () => {
    let port: SocketPort | undefined;
    const { connect } = await serve(
      admitting((opened) => {
        port = opened;
        return quiet;
      }),
    );
    const socket = connect();
    await once(socket, "open");
    socket.terminate();
    await expect.poll(() => port?.isOpen).toBe(false);
    expect(port?.sendText("{}")).toBe("dropped");
    expect(port?.bufferedBytes).toBe(0);
    port?.close({ code: 1000, reason: "the call has ended" });
  });
});

describe("plain HTTP", () => {
  it.each([
    ["/v1/calls/ses_1", 426, "upgrade_required"],
    ["/v1/streams/ses_1", 426, "upgrade_required"],
    ["/v1/media/twilio/ses_1/t", 426, "upgrade_required"],
    ["/v1/media/twilio/ses_1", 404, "not_found"],
    ["/v1/nonsense", 404, "not_found"],
    ["/", 404, "not_found"],
  ])("to %s answers %i with a JSON body", async (path, status, code) => {
    const { httpUrl } = await serve(admitting(() => quiet));
    const response = await fetch(httpUrl + path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ success: false, code });
  });
});
