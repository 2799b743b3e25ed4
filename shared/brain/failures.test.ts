import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import {
  ask,
  bytes,
  model,
  newClient,
  type PlanInput,
  serve,
  serveBytes,
  serveRaw,
  tokens,
} from "../../testkit/brain-client.ts";

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
      "answers in lists, which are neither tokens nor control events",
      "unreadable",
      async () => serveBytes([bytes('data: ["Hello"]\n\ndata: [{"event":"flush"}]\n\ndata: [DONE]\n\n')]),
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

  it.each<[string, (res: ServerResponse) => void]>([
    ["leaves its stream open", () => undefined],
    ["breaks off", (res) => res.destroy()],
  ])("but had hung up before it %s has answered", async (_what, then) => {
    const url = await serve((_req, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      res.write('data: {"event":"call_end","farewell":"Goodbye"}\n\n', () => setImmediate(then, res));
    });
    // Its patience, not the two seconds that are waited at most.
    expect(tokens(await ask(url, { idleTimeoutMs: 100 }))).toEqual(["<call_end>"]);
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
