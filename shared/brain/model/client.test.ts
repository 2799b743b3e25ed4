import { describe, expect, it } from "vitest";
import type { ChatAnswer } from "../../../testkit/fakes/chat-completions.ts";
import {
  answering,
  chat,
  collect,
  contentsOf,
  modelBrains,
  modelPlan,
  OPERATOR_KEY,
  question,
  saidIn,
  serve,
} from "../../../testkit/model-brain.ts";
import type { BrainQuestion } from "../port.ts";
import type { ModelTokens } from "./tokens.ts";

describe("a model that is asked", () => {
  it("is told its prompt with the call's variables, and what was said", async () => {
    const fake = await chat(answering({ text: "Hello Ada." }, { text: "Bye." }));
    const plan = modelPlan({
      url: fake.url,
      prompt: "You talk to {name}.\n  {missing}Be kind.",
      temperature: 0.5,
      maxTokens: 99,
    });
    const client = modelBrains();
    const parts = await collect(client.ask(question(plan, { request: { name: "Ada" } })));
    expect(parts).toEqual([
      { type: "token", text: "Hello " },
      { type: "token", text: "Ada." },
    ]);
    await collect(
      client.ask(
        question(plan, { request: { turn: 2, query: "bye" }, lines: [{ turn: 0, text: "Welcome." }] }),
      ),
    );
    expect(fake.asked[0]).toMatchObject({ model: "m", temperature: 0.5, max_tokens: 99, stream: true });
    expect(contentsOf(fake.asked[0])[0]).toBe("system: You talk to Ada.\n  Be kind.");
    expect(contentsOf(fake.asked[1]).slice(1)).toEqual([
      "assistant: Welcome.",
      "user: hi",
      "assistant: Hello Ada.",
      "user: bye",
    ]);
  });

  it("is told a long variable as often as 40,000 characters hold it, however often its prompt names it", async () => {
    const fake = await chat(answering({ text: "Hello." }));
    const plan = modelPlan({ url: fake.url, prompt: `${"{name}".repeat(1_000)} Be kind.` });
    await collect(modelBrains().ask(question(plan, { request: { name: "y".repeat(4_000) } })));
    expect(contentsOf(fake.asked[0])[0]).toBe(`system: ${"y".repeat(40_000)} Be kind.`);
  });

  it("is told the history its asker keeps, and remembers nothing then", async () => {
    const fake = await chat(answering({ text: "A." }, { text: "B." }));
    const plan = modelPlan({ url: fake.url });
    const client = modelBrains();
    const history = [
      { role: "user", text: "Hello" },
      { role: "assistant", text: "Hi." },
    ] as const;
    for (const turn of [2, 3]) await collect(client.ask(question(plan, { history, request: { turn } })));
    expect(contentsOf(fake.asked[1]).slice(1)).toEqual(["user: Hello", "assistant: Hi.", "user: hi"]);
  });

  it("hears nothing of another session", async () => {
    const fake = await chat(answering({ text: "A." }, { text: "B." }));
    const plan = modelPlan({ url: fake.url });
    const client = modelBrains();
    await collect(client.ask(question(plan)));
    await collect(client.ask(question(plan, { request: { sessionId: "ses_2", turn: 2, query: "who?" } })));
    expect(contentsOf(fake.asked[1]).slice(1)).toEqual(["user: who?"]);
  });

  it("is asked with the customer's key; the operator's goes to the operator's address only", async () => {
    const operators = await chat(() => ({ text: "A." }), OPERATOR_KEY);
    const customers = await chat(() => ({ text: "B." }));
    // The operator's own address may be private, a customer's may not.
    const client = modelBrains({ operatorUrl: operators.url, open: false });
    expect(saidIn(await collect(client.ask(question(modelPlan({})))))).toBe("A.");
    await expect(collect(client.ask(question(modelPlan({ url: customers.url }))))).rejects.toMatchObject({
      failure: "blocked",
    });
    const open = modelBrains({ operatorUrl: operators.url });
    await collect(open.ask(question(modelPlan({ url: customers.url }))));
    await collect(open.ask(question(modelPlan({ url: customers.url, secret: "mine" }))));
    expect(customers.authorizations).toEqual([undefined, "Bearer mine"]);
  });

  it("of the public service without any key is not asked at all", async () => {
    const client = modelBrains({ operatorUrl: "https://api.openai.com/v1", apiKey: "" });
    await expect(collect(client.ask(question(modelPlan({}))))).rejects.toThrow("has no key");
  });
});

describe("a model that fails", () => {
  it("with a wrong key is asked once, and the key is in no message", async () => {
    const fake = await chat(() => ({ text: "A." }), "right");
    const failure = await collect(
      modelBrains().ask(question(modelPlan({ url: fake.url, secret: "wrong-key" }))),
    ).catch((error) => error);
    expect(failure).toMatchObject({ name: "BrainError", failure: "status" });
    expect(failure.message).toBe("The model's service answered 401 (invalid_api_key).");
    expect(fake.authorizations).toHaveLength(1);
  });

  it.each([429, 500, 503])("with %d is asked once more", async (status) => {
    const fake = await chat(answering({ error: { status, code: "busy" } }, { text: "Here I am." }));
    expect(saidIn(await collect(modelBrains().ask(question(modelPlan({ url: fake.url })))))).toBe(
      "Here I am.",
    );
  });

  it("again and again is left alone; its other users are not", async () => {
    const fake = await chat(({ model }) =>
      model === "dead" ? { error: { status: 500, code: "x" } } : { text: "A." },
    );
    const client = modelBrains();
    const ask = (secret: string, model: string) =>
      collect(client.ask(question(modelPlan({ url: fake.url, secret, model }))));
    for (let i = 0; i < 3; i++) await ask("one", "dead").catch(() => undefined);
    await expect(ask("one", "dead")).rejects.toMatchObject({ failure: "breaker_open" });
    expect(saidIn(await ask("two", "alive"))).toBe("A.");
  });

  it("for being asked wrongly does not keep others back", async () => {
    const fake = await chat(({ model }) =>
      model === "none" ? { error: { status: 404, code: "model_not_found" } } : { text: "A." },
    );
    const client = modelBrains();
    for (let i = 0; i < 8; i++)
      await collect(client.ask(question(modelPlan({ url: fake.url, model: "none" })))).catch(() => undefined);
    expect(saidIn(await collect(client.ask(question(modelPlan({ url: fake.url })))))).toBe("A.");
  });

  it.each<[ChatAnswer["then"], string]>([
    ["die", "reset"],
    ["stall", "idle_timeout"],
    ["error", "status"],
  ])("in the middle (%s) is named %s", async (then, failure) => {
    const fake = await chat(() => ({ text: "Half an", ...(then ? { then } : {}) }));
    const plan = modelPlan({ url: fake.url, idleTimeoutMs: 100 });
    await expect(collect(modelBrains().ask(question(plan)))).rejects.toMatchObject({ failure });
  });

  it("to say anything in time is named first_token_timeout", async () => {
    const url = await serve(() => undefined);
    const plan = modelPlan({ url, firstTokenTimeoutMs: 100 });
    await expect(collect(modelBrains().ask(question(plan)))).rejects.toMatchObject({
      failure: "first_token_timeout",
    });
  });
});

describe("what a model used", () => {
  const tokensOf = async (plan: BrainQuestion["plan"], client = modelBrains(), signal = NEVER) => {
    const told: ModelTokens[] = [];
    const parts = client.ask(question(plan, { signal, onTokens: (tokens) => told.push(tokens) }));
    return { told, parts };
  };

  it("is what its service counts, of each request, and whose service it is", async () => {
    const fake = await chat(() => ({ text: "Hello.", used: [321, 7] }), OPERATOR_KEY);
    const client = modelBrains({ operatorUrl: fake.url });
    const operators = await tokensOf(modelPlan({}), client);
    expect(saidIn(await collect(operators.parts))).toBe("Hello.");
    expect(operators.told).toEqual([{ model: "m", isOwn: false, inputTokens: 321, outputTokens: 7 }]);
    const own = await tokensOf(modelPlan({ url: fake.url, secret: OPERATOR_KEY }), client);
    await collect(own.parts);
    expect(own.told).toMatchObject([{ isOwn: true }]);
    expect(fake.asked[0]?.stream_options).toEqual({ include_usage: true });
  });

  it("is a quarter of the characters where its service counts none", async () => {
    const url = await serve((_, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      res.end(
        `data: ${JSON.stringify({ choices: [{ delta: { content: "x".repeat(41) } }] })}\n\ndata: [DONE]\n\n`,
      );
    });
    const { told, parts } = await tokensOf(modelPlan({ url, prompt: "y".repeat(38) }));
    await collect(parts);
    // With "hi", which the caller says.
    expect(told).toEqual([{ model: "m", isOwn: true, inputTokens: 10, outputTokens: 11 }]);
  });

  it("is told at the moment in which the answer is given up, once", async () => {
    const url = await serve((_, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      res.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "Half an" } }] })}\n\n`);
    });
    const controller = new AbortController();
    const { told, parts } = await tokensOf(modelPlan({ url }), modelBrains(), controller.signal);
    for await (const _ of parts) {
      controller.abort();
      expect(told).toHaveLength(1);
    }
    expect(told).toMatchObject([{ outputTokens: 2 }]);
  });

  it("is asked for in vain of a service that refuses to be asked, and answers without", async () => {
    const code = "unknown_parameter_stream_options";
    const fake = await chat(({ stream_options: asked }) =>
      asked ? { error: { status: 400, code } } : { text: "Hello." },
    );
    const client = modelBrains();
    for (const turn of [1, 2]) {
      const answer = client.ask(question(modelPlan({ url: fake.url }), { request: { turn } }));
      expect(saidIn(await collect(answer))).toBe("Hello.");
    }
    expect(fake.asked).toHaveLength(3);
  });
});

const NEVER = new AbortController().signal;
