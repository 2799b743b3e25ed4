import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ask, bytes, metrics, newClient, serve, serveBytes, tokens } from "../../testkit/brain-client.ts";
import { verifyBody } from "../security/signatures.ts";

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
    [
      "tokens that are null, which are nothing",
      'data: "a"\n\ndata: null\n\ndata: "null"\n\ndata: [DONE]\n\n',
      ["a", "null"],
    ],
    ["an end that is JSON as well", 'data: "a"\n\ndata: "[DONE]"\n\ndata: "b"\n\n', ["a"]],
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
    [
      "footnotes in plain text",
      "data: See\n\ndata:  note\n\ndata: [1]\n\ndata: [DONE]\n\n",
      ["See", " note", "[1]"],
    ],
    [
      "what only begins as the end marker",
      "data: [DONE\n\ndata: [DONE] so\n\ndata: [DONE]\n\n",
      ["[DONE", "[DONE] so"],
    ],
    ["lists, which are skipped", 'data: ["b"]\n\ndata: "a"\n\ndata: [DONE]\n\n', ["a"]],
    ["unknown events, which are skipped", 'data: {"event":"dance"}\n\ndata: "a"\n\ndata: [DONE]\n\n', ["a"]],
  ])("may have %s", async (_what, stream, expected) => {
    expect(tokens(await ask(await serveBytes([bytes(stream)])))).toEqual(expected);
  });

  it.each<[string, object, object]>([
    ["no farewell", { event: "call_end", farewell: null }, { event: "call_end" }],
    ["a farewell that is no text", { event: "call_end", farewell: { text: "Bye" } }, { event: "call_end" }],
    [
      "a farewell that is too long",
      { event: "call_end", farewell: "x".repeat(4_001) },
      { event: "call_end" },
    ],
    ["a name under type only", { event: null, type: "flush" }, { event: "flush" }],
    [
      "settings it leaves as they are",
      { event: "listen", endpointingMs: null, expect: null, interruptible: false },
      { event: "listen", interruptible: false },
    ],
    [
      "a tool without arguments and delay",
      { event: "tool", name: "look", arguments: null, status: null, latencyMs: null },
      { event: "tool", name: "look", status: "success", latencyMs: 0 },
    ],
  ])("may say what it has no value for as null, in %s", async (_what, event, read) => {
    const stream = bytes(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
    expect(await ask(await serveBytes([stream]))).toEqual([{ type: "control", control: read }]);
  });

  const LIMIT = 1_048_576;
  /** Of so many bytes as JSON. */
  const text = (size: number) => "x".repeat(size - 2);
  const TOO_LARGE = { status: "error", result: { error: { code: "response_too_large" } } };
  it.each([
    ["a result as large as any", { result: text(LIMIT) }, { status: "success", result: LIMIT - 2 }],
    ["a result that is a byte larger", { result: text(LIMIT + 1) }, TOO_LARGE],
    ["a result three times as large", { result: text(3 * LIMIT) }, TOO_LARGE],
    ["arguments that are too large", { arguments: text(LIMIT + 1) }, { status: "success", arguments: null }],
  ])("may tell of a tool that its brain ran, with %s", async (_what, tool, kept) => {
    const event = JSON.stringify({ event: "tool", name: "look", status: "success", ...tool });
    const [first, ...more] = await ask(await serveBytes([bytes(`data: ${event}\n\ndata: "a"\n\n`)]));
    const control = first?.type === "control" && first.control.event === "tool" ? first.control : undefined;
    // Shown by its length, lest a failure prints a megabyte.
    const result = typeof control?.result === "string" ? control.result.length : control?.result;
    expect({ ...control, result }).toMatchObject(kept);
    expect(tokens(more)).toEqual(["a"]);
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
