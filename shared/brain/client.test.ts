import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { systemClock } from "../clock.ts";
import { brainSchema } from "../contracts/brain-plan.ts";
import { createLogger } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { createGuardedDispatcher } from "../net/guarded-dispatcher.ts";
import { createSystemResolver } from "../net/names/system-resolver.ts";
import { verifyBody } from "../security/signatures.ts";
import { type BrainPart, createBrainClient } from "./client.ts";

const metrics = createMetrics();
const dispatcher = createGuardedDispatcher({
  allowPrivateTargets: ["127.0.0.0/8"],
  connectTimeoutMs: 500,
  connectionsPerHost: 8,
  keepAliveMs: 5_000,
  resolve: createSystemResolver({ clock: systemClock }),
});
const log = createLogger({ level: "silent", format: "json", name: "test" });
const dispatchers = { of: () => dispatcher };
const models = { baseUrl: "http://127.0.0.1:9/v1", dispatchers };
const newClient = () => createBrainClient({ dispatchers, models, clock: systemClock, log, metrics });

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(() => dispatcher.close());

/** A brain by node:http; gives its URL. */
async function serve(handle: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/turn?key=1`;
}

/** Events as models stream them: each with a name of its own beside its data. */
function model(...events: { readonly type: string; readonly [field: string]: unknown }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** A brain that answers with exactly these bytes, in these pieces. */
async function serveBytes(
  pieces: readonly Uint8Array[],
  headers: Record<string, string> = {},
): Promise<string> {
  return serve((_req, res) => {
    res.writeHead(200, { "content-type": "text/event-stream", ...headers });
    const send = (rest: readonly Uint8Array[]): void => {
      const [piece, ...more] = rest;
      if (!piece) res.end();
      else res.write(piece, () => setImmediate(send, more));
    };
    send(pieces);
  });
}

async function serveRaw(handle: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => handle(socket));
    closers.push(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

type PlanInput = Omit<Extract<z.input<typeof brainSchema>, { kind?: "custom" | undefined }>, "url">;

async function ask(
  url: string,
  plan: PlanInput = {},
  signal = new AbortController().signal,
  { client = newClient(), orgId = "org_1" } = {},
) {
  const parts: BrainPart[] = [];
  const answer = client.ask({
    plan: brainSchema.parse({ url, ...plan }),
    orgId,
    request: { query: "hi", sessionId: "ses_1", turn: 1, userId: "usr_1" },
    signal,
    onSent: () => undefined,
    onFirstContent: () => undefined,
  });
  for await (const part of answer) parts.push(part);
  return parts;
}

const tokens = (parts: readonly BrainPart[]): string[] =>
  parts.map((part) => (part.type === "token" ? part.text : `<${part.control.event}>`));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the request", () => {
  it("carries the turn, the payload and a signature over its very bytes", async () => {
    const seen: { url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
    const url = await serve((req, res) => {
      let body = "";
      req.on("data", (chunk) => {
        body += chunk;
      });
      req.on("end", () => {
        seen.push({ url: req.url ?? "", headers: req.headers, body });
        res.writeHead(200, { "content-type": "text/event-stream" }).end("data: [DONE]\n\n");
      });
    });
    await ask(url, { secret: "brain-secret", payload: { tenant: "acme", query: "not this" } });
    const [request] = seen;
    expect(request?.url).toBe("/turn?key=1&calling=true&stream=true");
    expect(JSON.parse(request?.body ?? "")).toEqual({
      tenant: "acme",
      query: "hi",
      sessionId: "ses_1",
      turn: 1,
      userId: "usr_1",
    });
    expect(request?.headers).toMatchObject({
      accept: "text/event-stream",
      "x-service-session": "ses_1",
      "x-service-turn": "1",
    });
    const signature = String(request?.headers["x-service-signature"]);
    expect(verifyBody("brain-secret", request?.body ?? "", signature)).toBe(true);
  });

  it("goes over the same connection turn after turn", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((req, res) => {
      ports.add(req.socket.remotePort);
      res.writeHead(200, { "content-type": "text/event-stream" });
      res.write('data: "a"\n\ndata: [DONE]\n\n');
      setImmediate(() => res.end(": bye\n\n"));
    });
    const client = newClient();
    for (let turn = 0; turn < 3; turn++) {
      await ask(url, {}, undefined, { client });
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(ports.size).toBe(1);
  });

  it("is closed when it is aborted, so that the endpoint sees its client go away", async () => {
    let onGone: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      onGone = resolve;
    });
    const abort = new AbortController();
    const url = await serve((req, res) => {
      res.on("close", onGone);
      res.writeHead(200, { "content-type": "text/event-stream" }).write('data: "a"\n\n');
      req.on("end", () => setImmediate(() => abort.abort()));
      req.resume();
    });
    await ask(url, {}, abort.signal);
    await gone;
  });
});

describe("the stream", () => {
  it.each<[string, string, string[]]>([
    ["tokens as JSON strings", 'data: "Hel"\n\ndata: "lo"\n\ndata: [DONE]\n\n', ["Hel", "lo"]],
    [
      "plain text, its own spaces kept",
      "data: Hello\n\ndata:  there\n\ndata: [DONE]\n\n",
      ["Hello", " there"],
    ],
    ["OpenAI chunks", 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n', ["Hi"]],
    [
      "empty deltas, which are nothing",
      'data: {"choices":[{"delta":{}}]}\n\ndata: "a"\n\ndata: [DONE]\n\n',
      ["a"],
    ],
    ["CRLF line ends", 'data: "a"\r\n\r\ndata: "b"\r\n\r\ndata: [DONE]\r\n\r\n', ["a", "b"]],
    ["CR line ends", 'data: "a"\r\rdata: "b"\r\rdata: [DONE]\r\r', ["a", "b"]],
    ["mixed line ends", 'data: "a"\n\r\ndata: "b"\r\n\ndata: [DONE]\n\n', ["a", "b"]],
    ["comments", ': hello\n\ndata: "a"\n: more\n\ndata: [DONE]\n\n', ["a"]],
    ["data over several lines", "data: one\ndata: two\n\ndata: [DONE]\n\n", ["one\ntwo"]],
    ["a byte order mark", '\uFEFFdata: "a"\n\ndata: [DONE]\n\n', ["a"]],
    ["id, event and retry fields", 'id: 7\nevent: token\nretry: 100\ndata: "a"\n\ndata: [DONE]\n\n', ["a"]],
    ["a field without a space after its colon", 'data:"a"\n\ndata:[DONE]\n\n', ["a"]],
    ["no [DONE]", 'data: "a"\n\n', ["a"]],
    ["an event cut off by the end", 'data: "a"\n\ndata: "lost"', ["a"]],
    ["nothing after [DONE]", 'data: "a"\n\ndata: [DONE]\n\ndata: "late"\n\n', ["a"]],
    [
      "control events in their place",
      'data: "a"\n\ndata: {"event":"clear"}\n\ndata: "b"\n\ndata: [DONE]\n\n',
      ["a", "<clear>", "b"],
    ],
    ["type for event", 'data: {"type":"node_entered","node":"x"}\n\ndata: [DONE]\n\n', ["<node_entered>"]],
    ["unknown events, which are skipped", 'data: {"event":"dance"}\n\ndata: "a"\n\ndata: [DONE]\n\n', ["a"]],
    [
      "events of OpenAI's Responses API",
      model(
        { type: "response.created", response: {} },
        { type: "response.reasoning_summary_text.delta", delta: "Hm." },
        { type: "response.output_text.delta", item_id: "m", delta: "Hel" },
        { type: "response.output_text.delta", item_id: "m", delta: "lo" },
        { type: "response.output_text.done", text: "Hello" },
        { type: "response.completed", response: {} },
      ),
      ["Hel", "lo"],
    ],
    [
      "events of Anthropic's Messages",
      model(
        { type: "message_start", message: {} },
        { type: "ping" },
        { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
        { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hel" } },
        { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "lo" } },
        { type: "message_delta", delta: { stop_reason: "end_turn" } },
        { type: "message_stop" },
      ),
      ["Hel", "lo"],
    ],
    [
      "events of Vercel's AI SDK, of two versions",
      `${model(
        { type: "start" },
        { type: "text-start", id: "0" },
        { type: "text-delta", id: "0", delta: "Hel" },
        { type: "text-delta", textDelta: "lo" },
        { type: "finish" },
      )}data: [DONE]\n\n`,
      ["Hel", "lo"],
    ],
    [
      "a model's empty answer, which is silence",
      model({ type: "message_start", message: {} }, { type: "message_stop" }),
      [],
    ],
  ])("may have %s", async (_what, stream, expected) => {
    expect(tokens(await ask(await serveBytes([bytes(stream)])))).toEqual(expected);
  });

  it("means the same however its bytes are cut, inside a character too", async () => {
    const stream = bytes(
      'data: "Grüße 👋"\r\n\r\n: c\n\ndata: {"event":"clear"}\n\ndata: ünï\n\ndata: [DONE]\n\n',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 8 }),
        async (cuts) => {
          const edges = [0, ...[...new Set(cuts)].sort((a, b) => a - b), stream.length];
          const pieces = edges.slice(1).map((end, index) => stream.slice(edges[index], end));
          expect(tokens(await ask(await serveBytes(pieces)))).toEqual(["Grüße 👋", "<clear>", "ünï"]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is read compressed, too, when a proxy insists", async () => {
    const packed = gzipSync('data: "a"\n\ndata: [DONE]\n\n');
    expect(tokens(await ask(await serveBytes([packed], { "content-encoding": "gzip" })))).toEqual(["a"]);
  });

  it("counts an unknown event each time", async () => {
    const before = (await metrics.brainUnknownEventsTotal.get()).values[0]?.value ?? 0;
    await ask(
      await serveBytes([bytes('data: {"event":"dance"}\n\ndata: {"event":"dance"}\n\ndata: "a"\n\n')]),
    );
    expect((await metrics.brainUnknownEventsTotal.get()).values[0]?.value).toBe(before + 2);
  });
});

describe("a brain that fails", () => {
  it.each<[string, string, (url: () => Promise<string>) => Promise<string>, PlanInput]>([
    ["refuses the connection", "connect", async () => "http://127.0.0.1:1/", {}],
    ["answers 500", "status", async () => serve((_req, res) => res.writeHead(500).end("oops")), {}],
    [
      "redirects",
      "status",
      async () => serve((_req, res) => res.writeHead(302, { location: "/x" }).end()),
      {},
    ],
    [
      "answers JSON",
      "content_type",
      async () =>
        serve((_req, res) => res.writeHead(200, { "content-type": "application/json" }).end('{"error":"x"}')),
      {},
    ],
    [
      "answers in a format of its own",
      "unreadable",
      async () => serveBytes([bytes('data: {"kind":"words","words":"Hello"}\n\ndata: [DONE]\n\n')]),
      {},
    ],
    [
      "passes on a model's call of a tool",
      "unreadable",
      async () =>
        serveBytes([
          bytes(
            model(
              { type: "message_start", message: {} },
              {
                type: "content_block_delta",
                index: 0,
                delta: { type: "input_json_delta", partial_json: "{" },
              },
              { type: "message_stop" },
            ),
          ),
        ]),
      {},
    ],
    [
      "passes on a model's error",
      "unreadable",
      async () => serveBytes([bytes(model({ type: "error", error: { type: "overloaded_error" } }))]),
      {},
    ],
    [
      "never answers",
      "first_token_timeout",
      async () => serve(() => undefined),
      { firstTokenTimeoutMs: 100 },
    ],
    [
      "sends headers and then nothing",
      "first_token_timeout",
      async () =>
        serve((_req, res) => res.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()),
      { firstTokenTimeoutMs: 100 },
    ],
    [
      "keeps the connection with comments but says nothing",
      "first_token_timeout",
      async () =>
        serve((_req, res) => {
          res.writeHead(200, { "content-type": "text/event-stream" });
          const timer = setInterval(() => res.write(": alive\n\n"), 20);
          res.on("close", () => clearInterval(timer));
        }),
      { firstTokenTimeoutMs: 150 },
    ],
    [
      "stalls in the middle",
      "idle_timeout",
      async () =>
        serve(
          (_req, res) =>
            void res.writeHead(200, { "content-type": "text/event-stream" }).write('data: "a"\n\n'),
        ),
      { idleTimeoutMs: 100 },
    ],
    [
      "sends an event of ten megabytes",
      "too_large",
      async () =>
        serve(
          (_req, res) =>
            void res
              .writeHead(200, { "content-type": "text/event-stream" })
              .end(`data: ${"x".repeat(10_000_000)}\n\n`),
        ),
      {},
    ],
    [
      "breaks off in mid-token",
      "reset",
      async () =>
        serveRaw((socket) => {
          socket.write(
            'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nb\r\ndata: "a"\n\n\r\n9\r\ndata: "bb',
          );
          setImmediate(() => socket.resetAndDestroy());
        }),
      {},
    ],
    ["lives at a private address nobody opened", "blocked", async () => "http://10.0.0.1/", {}],
  ])("because it %s is named %s", async (_what, failure, start, plan) => {
    const url = await start(async () => "");
    await expect(ask(url, plan)).rejects.toMatchObject({ name: "BrainError", failure, code: "brain_failed" });
  });

  it("never ends is cut off at its size", async () => {
    const url = await serve((_req, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      const more = (): void => {
        while (res.writable && res.write(`data: "${"x".repeat(60_000)}"\n\n`));
      };
      res.on("drain", more);
      more();
    });
    await expect(ask(url)).rejects.toMatchObject({ failure: "too_large" });
  });

  it("is asked once more when nothing came yet, and not when something did", async () => {
    let requests = 0;
    const flaky = await serve((_req, res) => {
      requests += 1;
      if (requests === 1) res.writeHead(503).end();
      else res.writeHead(200, { "content-type": "text/event-stream" }).end('data: "ok"\n\ndata: [DONE]\n\n');
    });
    expect(tokens(await ask(flaky))).toEqual(["ok"]);
    expect(requests).toBe(2);
    let broken = 0;
    const half = await serveRaw((socket) => {
      broken += 1;
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nb\r\ndata: "a"\n\n\r\n',
      );
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
    await expect(ask(half)).rejects.toMatchObject({ failure: "reset" });
    expect(broken).toBe(1);
  });

  it("again and again is left alone for a while", async () => {
    let requests = 0;
    const url = await serve((_req, res) => {
      requests += 1;
      res.writeHead(500).end();
    });
    const client = newClient();
    for (let i = 0; i < 3; i++) await ask(url, {}, undefined, { client }).catch(() => undefined);
    const before = requests;
    await expect(ask(url, {}, undefined, { client })).rejects.toMatchObject({ failure: "breaker_open" });
    expect(requests).toBe(before);
  });
  it("keeps no other organization's agents from a brain on the same host, nor its own from another path", async () => {
    const url = await serve((req, res) => {
      if (req.url?.startsWith("/bad")) res.writeHead(500).end();
      else
        res.writeHead(200, { "content-type": "text/event-stream" }).end('data: "well"\n\ndata: [DONE]\n\n');
    });
    const [bad, good] = [new URL("/bad", url).href, new URL("/good", url).href];
    const client = newClient();
    for (let i = 0; i < 3; i++) await ask(bad, {}, undefined, { client }).catch(() => undefined);
    await expect(ask(bad, {}, undefined, { client })).rejects.toMatchObject({ failure: "breaker_open" });
    expect(tokens(await ask(good, {}, undefined, { client }))).toEqual(["well"]);
    await expect(ask(bad, {}, undefined, { client, orgId: "org_2" })).rejects.toMatchObject({
      failure: "status",
    });
  });

  it.each([400, 401, 403, 404, 410, 422])(
    "that refuses for good (%d) is asked once, and not left alone",
    async (status) => {
      let requests = 0;
      const url = await serve((_req, res) => {
        requests += 1;
        res.writeHead(status).end();
      });
      const client = newClient();
      for (let i = 0; i < 8; i++)
        await expect(ask(url, {}, undefined, { client })).rejects.toMatchObject({ failure: "status" });
      expect(requests).toBe(8);
    },
  );

  it.each([408, 425, 429])("that refuses for now (%d) is asked once more", async (status) => {
    let requests = 0;
    const url = await serve((_req, res) => {
      requests += 1;
      if (requests === 1) res.writeHead(status).end();
      else res.writeHead(200, { "content-type": "text/event-stream" }).end('data: "ok"\n\ndata: [DONE]\n\n');
    });
    expect(tokens(await ask(url))).toEqual(["ok"]);
  });
});
