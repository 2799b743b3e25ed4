import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import {
  answering,
  chat,
  collect,
  contentsOf,
  lookTool,
  modelBrains,
  modelPlan,
  question,
  saidIn,
  serve,
  toolsIn,
} from "../../../testkit/model-brain.ts";

describe("tools", () => {
  it("are called over HTTP with the model's arguments, and what they give is told to the model", async () => {
    const seen: { method?: string; url?: string; body: string; headers: IncomingMessage["headers"] }[] = [];
    const api = await serve((req, res, body) => {
      seen.push({ method: req.method ?? "", url: req.url ?? "", body, headers: req.headers });
      res.writeHead(200, { "content-type": "application/json" }).end('{"free":["18:00"]}');
    });
    const fake = await chat(
      answering(
        { text: "Let me look. ", calls: [{ name: "look", arguments: '{"day":"1/2","people":2}' }] },
        { text: "At six." },
      ),
    );
    const url = `${api}/{tenant}/tables/{day}`;
    const headers = { Authorization: "Bearer {token}" };
    const plan = modelPlan({ url: fake.url, tools: [lookTool({ url, headers, sendIdentifier: true })] });
    const request = { tenant: "a b", token: "t-1" };
    const parts = await collect(modelBrains().ask(question(plan, { request, identifier: "+4930123456" })));
    expect(saidIn(parts)).toBe("Let me look. <flush><tool>At six.");
    expect(toolsIn(parts)).toMatchObject([
      { name: "look", arguments: { day: "1/2", people: 2 }, result: { free: ["18:00"] }, status: "success" },
    ]);
    expect(seen[0]).toMatchObject({
      method: "POST",
      url: "/a%20b/tables/1%2F2",
      body: '{"day":"1/2","people":2}',
    });
    expect(seen[0]?.headers).toMatchObject({
      authorization: "Bearer t-1",
      "x-service-identifier": "+4930123456",
    });
    expect(fake.asked[0]?.tools?.[0]?.function).toMatchObject({ name: "look", description: "Looks." });
    expect(fake.asked[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: '{"free":["18:00"]}' });
  });

  it("that read send what is left of the arguments in the query, and no identity unless asked to", async () => {
    const seen: IncomingMessage[] = [];
    const api = await serve((req, res) => {
      seen.push(req);
      res.end("plain text");
    });
    const fake = await chat(
      answering({ calls: [{ name: "look", arguments: '{"id":7,"q":"a&b","none":null}' }] }),
    );
    const plan = modelPlan({ url: fake.url, tools: [lookTool({ method: "GET", url: `${api}/o/{id}?v=1` })] });
    const parts = await collect(modelBrains().ask(question(plan, { identifier: "ada" })));
    expect(seen[0]?.url).toBe("/o/7?v=1&q=a%26b");
    expect(seen[0]?.headers["x-service-identifier"]).toBeUndefined();
    expect(toolsIn(parts)[0]).toMatchObject({ result: "plain text", status: "success" });
  });

  it.each<[string, object, string, object]>([
    [
      "an answer that is no 2xx",
      {},
      "{}",
      { status: "error", result: { error: { code: "http_status", status: 409, body: { why: "full" } } } },
    ],
    [
      "arguments that are no JSON",
      {},
      '{"day":',
      { status: "error", arguments: '{"day":', result: { error: { code: "invalid_arguments" } } },
    ],
    ["arguments that are no object", {}, "[1]", { status: "error", arguments: "[1]" }],
    [
      "a tool nobody has",
      { name: "other" },
      "{}",
      { status: "not_found", result: { error: { code: "not_found" } } },
    ],
    [
      "an address of the inside",
      { url: "http://10.0.0.1/x" },
      "{}",
      { status: "error", result: { error: { code: "blocked_address" } } },
    ],
    [
      "an answer that does not come",
      { url: "/slow", timeoutMs: 100 },
      "{}",
      { status: "error", result: { error: { code: "deadline_exceeded" } } },
    ],
    [
      "an answer over a mebibyte",
      { url: "/large" },
      "{}",
      { status: "error", result: { error: { code: "response_too_large" } } },
    ],
    [
      "a mebibyte once it is written out",
      { url: "/quotes" },
      "{}",
      { status: "error", result: { error: { code: "response_too_large" } } },
    ],
    [
      "an argument that climbs",
      { url: "/o/{id}/x" },
      '{"id":".."}',
      { status: "error", result: { error: { code: "invalid_arguments" } } },
    ],
    [
      "characters no database keeps",
      { url: "/nul" },
      '{"a":"\\u0000"}',
      { status: "success", arguments: { a: "\uFFFD" }, result: { a: "\uFFFDx\\u0000" } },
    ],
  ])("report %s", async (_what, { url = "/refuses", ...more }: { url?: string }, given, expected) => {
    const api = await serve((req, res) => {
      if (req.url === "/slow") return;
      if (req.url === "/large") return void res.end("x".repeat(1_048_577));
      if (req.url === "/quotes") return void res.end('"'.repeat(600_000));
      if (req.url === "/nul") return void res.end('{"a":"\\u0000x\\\\u0000"}');
      res.writeHead(409).end('{"why":"full"}');
    });
    const fake = await chat(answering({ calls: [{ name: "look", arguments: given }] }, { text: "I see." }));
    const target = url.startsWith("/") ? `${api}${url}` : url;
    const plan = modelPlan({ url: fake.url, tools: [lookTool({ url: target, ...more })] });
    const parts = await collect(modelBrains().ask(question(plan)));
    expect(toolsIn(parts)).toMatchObject([{ name: "look", ...expected }]);
    expect(saidIn(parts)).toBe("<flush><tool>I see.");
  });

  it("run side by side and are reported in their order", async () => {
    const waiting: ServerResponse[] = [];
    const api = await serve((req, res) => {
      waiting.push(res);
      // Nobody is answered before both have asked.
      if (waiting.length === 2) for (const each of waiting) each.end('"ok"');
      void req;
    });
    const calls = [
      { name: "look", arguments: '{"n":1}' },
      { name: "look", arguments: '{"n":2}' },
    ];
    const fake = await chat(answering({ calls }, { text: "Done." }));
    const plan = modelPlan({ url: fake.url, tools: [lookTool({ url: api })] });
    const parts = await collect(modelBrains().ask(question(plan)));
    expect(toolsIn(parts).map((run) => run.arguments)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it("are told to the model before anybody reads how they went: a caller waits for the model", async () => {
    const api = await serve((_req, res) => res.end("plain text"));
    const fake = await chat(answering({ calls: [{ name: "look", arguments: "{}" }] }, { text: "At six." }));
    const plan = modelPlan({ url: fake.url, tools: [lookTool({ url: api })] });
    const parts = modelBrains().ask(question(plan))[Symbol.asyncIterator]();
    expect(await parts.next()).toMatchObject({ value: { control: { event: "flush" } } });
    expect(await parts.next()).toMatchObject({ value: { control: { event: "tool", status: "success" } } });
    await expect.poll(() => fake.asked.length).toBe(2);
    expect(await parts.next()).toMatchObject({ value: { type: "token", text: "At " } });
    await parts.return?.();
  });

  it("run before it is told what asking for them used, which is told once: a caller waits for them", async () => {
    const fake = await chat(answering({ calls: [{ name: "end_call", arguments: "{}" }] }));
    const plan = modelPlan({ url: fake.url, tools: [{ kind: "end_call" }] });
    const order: string[] = [];
    const onTokens = (): void => void order.push("tokens");
    for await (const part of modelBrains().ask(question(plan, { onTokens })))
      order.push(part.type === "control" ? part.control.event : part.type);
    expect(order).toEqual(["flush", "tool", "call_end", "tokens"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toHaveLength(4);
  });

  it("may be called in five rounds of a turn, then the model has to speak", async () => {
    const fake = await chat(({ tool_choice }) =>
      tool_choice === "none" ? { text: "Enough." } : { calls: [{ name: "look", arguments: "{}" }] },
    );
    const parts = await collect(
      modelBrains().ask(question(modelPlan({ url: fake.url, tools: [{ kind: "end_call" }] }))),
    );
    expect(toolsIn(parts)).toHaveLength(5);
    expect(fake.asked).toHaveLength(6);
  });

  it("that a caller talks over are abandoned, and the model knows in the next turn", async () => {
    const abort = new AbortController();
    const api = await serve(() => abort.abort());
    const fake = await chat(answering({ calls: [{ name: "look", arguments: "{}" }] }, { text: "Sorry." }));
    const plan = modelPlan({ url: fake.url, tools: [lookTool({ url: api })] });
    const client = modelBrains();
    const parts = await collect(client.ask(question(plan, { signal: abort.signal })));
    expect(toolsIn(parts)).toMatchObject([{ status: "abandoned" }]);
    await collect(
      client.ask(question(plan, { request: { turn: 2, heard: { turn: 1, text: "", interruptedAtMs: 0 } } })),
    );
    expect(contentsOf(fake.asked[1]).at(-2)).toContain("abandoned");
  });

  it("do not run before somebody reads on: an early answer may be thrown away", async () => {
    let requests = 0;
    const api = await serve((_req, res) => {
      requests += 1;
      res.end("1");
    });
    const fake = await chat(answering({ calls: [{ name: "look", arguments: "{}" }] }, { text: "One." }));
    const iterator = modelBrains()
      .ask(question(modelPlan({ url: fake.url, tools: [lookTool({ url: api })] })))
      [Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ type: "control", control: { event: "flush" } });
    expect(requests).toBe(0);
    await iterator.next();
    expect(requests).toBe(1);
  });

  it.each<[string, { kind: string; destinations?: object[] }, string, object[]]>([
    [
      "hangs up with a farewell",
      { kind: "end_call" },
      '{"farewell":"Bye."}',
      [{ event: "call_end", farewell: "Bye." }],
    ],
    ["presses keys", { kind: "play_keys" }, '{"digits":"1#"}', [{ event: "dtmf", digits: "1#" }]],
    ["presses no wrong keys", { kind: "play_keys" }, '{"digits":"one"}', []],
    [
      "transfers to whom its owner named",
      { kind: "transfer", destinations: [{ name: "sales", number: "+4930123456" }] },
      '{"destination":"sales"}',
      [{ event: "transfer", to: "+4930123456" }],
    ],
    [
      "transfers to who is told first",
      { kind: "transfer", destinations: [{ name: "sales", number: "+4930123456", mode: "warm" }] },
      '{"destination":"sales","whisper":"Ada, a new customer."}',
      [{ event: "transfer", to: "+4930123456", mode: "warm", whisper: "Ada, a new customer." }],
    ],
    [
      "transfers to nobody who would not know whom they get",
      { kind: "transfer", destinations: [{ name: "sales", number: "+4930123456", mode: "warm" }] },
      '{"destination":"sales"}',
      [],
    ],
    [
      "transfers nowhere else",
      { kind: "transfer", destinations: [{ name: "sales", number: "+4930123456" }] },
      '{"destination":"+19005550100"}',
      [],
    ],
  ])("let a model do to the call what they are for: it %s", async (_what, own, given, expected) => {
    const { kind: name } = own;
    const fake = await chat(answering({ calls: [{ name, arguments: given }] }, { text: "Well." }));
    const plan = modelPlan({ url: fake.url, tools: [own] });
    const parts = await collect(modelBrains().ask(question(plan)));
    const status = expected.length > 0 ? "success" : "error";
    expect(toolsIn(parts)).toMatchObject([{ name, status }]);
    const done = parts.flatMap((part) => (part.type === "control" ? [part.control] : []));
    expect(done.filter(({ event }) => event !== "tool" && event !== "flush")).toEqual(expected);
  });

  it("show nothing of what is declared as not to be shown, which the tool and the model get", async () => {
    const seen: string[] = [];
    const result = { name: "Ada", pin: "1234", cards: [{ token: { of: "visa" }, nr: 1 }] };
    const api = await serve((_req, res, body) => {
      seen.push(body);
      res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
    });
    const given = '{"name":"Ada","pin":"1234","cards":[{"token":"t-1","nr":1}]}';
    const calls = (text: string) => ({ calls: [{ name: "look", arguments: text }] });
    const fake = await chat(answering(calls(given), calls('{"pin":"1234'), { text: "Well." }));
    const parameters = {
      type: "object",
      properties: {
        name: { type: "string" },
        pin: { type: "string", format: "password" },
        cards: { type: "array", items: { properties: { token: { writeOnly: true }, nr: {} } } },
      },
    };
    const plan = modelPlan({ url: fake.url, tools: [lookTool({ url: api, parameters })] });
    const parts = await collect(modelBrains().ask(question(plan)));
    const [ran, unread] = toolsIn(parts);
    expect(ran).toMatchObject({
      arguments: { name: "Ada", pin: "", cards: [{ token: "", nr: 1 }] },
      result: { name: "Ada", pin: "", cards: [{ token: "", nr: 1 }] },
    });
    expect(unread).toMatchObject({ arguments: "", status: "error" });
    expect(JSON.parse(seen[0] ?? "")).toEqual(JSON.parse(given));
    expect(JSON.parse(String(fake.asked[1]?.messages.at(-1)?.content))).toEqual(result);
  });

  it("show nothing of it in a text either, which the model gets", async () => {
    const text = "The PIN 1234 is wrong.";
    const api = await serve((_req, res) => void res.writeHead(403).end(text));
    const calls = [{ name: "look", arguments: '{"pin":"1234"}' }];
    const fake = await chat(answering({ calls }, { text: "Well." }));
    const parameters = {
      properties: { pin: { $ref: "#/$defs/Pin" } },
      $defs: { Pin: { anyOf: [{ format: "password" }, { type: "null" }] } },
    };
    const plan = modelPlan({ url: fake.url, tools: [lookTool({ url: api, parameters })] });
    const [ran] = toolsIn(await collect(modelBrains().ask(question(plan))));
    expect(ran).toMatchObject({ arguments: { pin: "" }, result: { error: { status: 403, body: "" } } });
    expect(String(fake.asked[1]?.messages.at(-1)?.content)).toContain(text);
  });

  it("of the line are not offered in text", async () => {
    const fake = await chat(answering({ calls: [{ name: "end_call", arguments: "{}" }] }, { text: "Bye." }));
    const plan = modelPlan({
      url: fake.url,
      tools: [{ kind: "end_call" }, lookTool({ url: "http://127.0.0.1:9/" })],
    });
    const parts = await collect(modelBrains().ask(question(plan, { medium: "text" })));
    expect(fake.asked[0]?.tools?.map(({ function: { name } }) => name)).toEqual(["look"]);
    expect(toolsIn(parts)).toMatchObject([{ name: "end_call", status: "not_found" }]);
    expect(saidIn(parts)).toBe("<flush><tool>Bye.");
  });
});
