import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { eventsIn, type StreamedEvent, TestChats } from "../../../testkit/chat.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";

/** Other processes have this machine, too. */
const SOON = { timeout: 90_000 };

let api: TestControlApi;
let chats: TestChats;
let answer: (turn: BrainTurn) => void;

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  chats = await TestChats.start(api, (turn) => answer(turn));
});
afterAll(async () => {
  chats.close();
  await api.close();
});

interface Opened {
  readonly events: StreamedEvent[];
  /** Leaves. */
  readonly abort: () => void;
  readonly ended: Promise<void>;
}

/** Sends a message and reads what comes as it comes. */
async function open(input: string, over: Record<string, unknown> = {}): Promise<Opened> {
  const controller = new AbortController();
  const response = await fetch(`${api.api.baseUrl}/api/v1/chat`, {
    method: "POST",
    signal: controller.signal,
    headers: {
      accept: "text/event-stream",
      "content-type": "application/json",
      "x-api-key": chats.organization.keys.viewer,
    },
    body: JSON.stringify({ agentId: chats.organization.agentId, identifier: "customer-7", input, ...over }),
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const events: StreamedEvent[] = [];
  const read = async (): Promise<void> => {
    let text = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      events.splice(0, events.length, ...eventsIn(text));
    }
  };
  const ended = read().catch(() => undefined);
  return { events, abort: () => controller.abort(), ended };
}

describe("a streamed reply", () => {
  it("comes as the brain generates it, and ends with the whole", async () => {
    let held: BrainTurn | undefined;
    answer = (turn) => {
      held = turn;
      turn.token("Hello");
    };
    const stream = await open("Hello?");
    await expect.poll(() => stream.events.map(([name]) => name), SOON).toEqual(["session", "token"]);
    held?.control({ event: "tool", name: "look", arguments: {}, result: 1 });
    held?.token(", Ada.");
    held?.done();
    await stream.ended;
    const sessionId = stream.events[0]?.[1].sessionId;
    const look = { name: "look", arguments: {}, result: 1, status: "success", latencyMs: 0 };
    expect(stream.events).toEqual([
      ["session", { sessionId, identifier: "customer-7", turn: 1 }],
      ["token", { text: "Hello" }],
      ["tool", look],
      ["token", { text: ", Ada." }],
      ["done", { sessionId, identifier: "customer-7", turn: 1, reply: "Hello, Ada.", toolCalls: [look] }],
    ]);
  });

  it("of a brain that fails ends with the error, and nothing is kept", async () => {
    answer = (turn) => {
      turn.token("Hel");
      setImmediate(() => turn.res.destroy());
    };
    const stream = await open("Hello?");
    await stream.ended;
    expect(stream.events.at(-1)).toEqual([
      "error",
      {
        success: false,
        code: "brain_failed",
        error: expect.any(String),
        requestId: expect.stringMatching(/^req_/),
      },
    ]);
    const sessionId = String(stream.events[0]?.[1].sessionId);
    expect((await chats.messages(sessionId)).status).toBe(404);
  });

  it("that is refused is refused as without streaming", async () => {
    const headers = { accept: "text/event-stream" };
    const refused = await chats.say("Hello?", { sessionId: "ses_none" }, { headers });
    expect(refused).toMatchObject({ status: 404, body: { success: false, code: "not_found" } });
  });

  it("is broken off when its client leaves: the brain sees it, and what was sent is kept as interrupted", async () => {
    let isAborted = false;
    answer = (turn) => {
      void turn.aborted.then(() => {
        isAborted = true;
      });
      turn.token("Once upon a time");
    };
    const stream = await open("Tell me a story");
    await expect.poll(() => stream.events, SOON).toHaveLength(2);
    const sessionId = String(stream.events[0]?.[1].sessionId);
    stream.abort();
    await expect.poll(() => isAborted, SOON).toBe(true);
    const transcript = async () => (await chats.record(sessionId)).transcript;
    await expect
      .poll(transcript, SOON)
      .toMatchObject([{ role: "user" }, { role: "assistant", text: "Once upon a time", interrupted: true }]);
    answer = (turn) => turn.done();
    expect((await chats.say("Something else", { sessionId })).body).toMatchObject({ turn: 2, reply: "" });
    expect(chats.brain.turns.at(-1)?.request.heard).toMatchObject({ text: "Once upon a time" });
    await chats.say("And now", { sessionId });
    expect(chats.brain.turns.at(-1)?.request.heard).toBeUndefined();
  });

  it("whose client leaves before a word leaves nothing behind", async () => {
    let isAborted = false;
    answer = (turn) => {
      void turn.aborted.then(() => {
        isAborted = true;
      });
      turn.res.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    };
    const stream = await open("Tell me a story");
    await expect.poll(() => stream.events, SOON).toHaveLength(1);
    stream.abort();
    await expect.poll(() => isAborted, SOON).toBe(true);
    const sessionId = String(stream.events[0]?.[1].sessionId);
    await expect.poll(async () => (await chats.messages(sessionId)).status, SOON).toBe(404);
  });
});

describe("a client that goes away without streaming", () => {
  it("finds the reply in the transcript: it was generated and kept", async () => {
    answer = (turn) => {
      turn.token("Hello.");
      turn.done();
    };
    const { sessionId } = await chats.say("Hello?");
    let held: BrainTurn | undefined;
    answer = (turn) => {
      held = turn;
    };
    const controller = new AbortController();
    const left = fetch(`${api.api.baseUrl}/api/v1/chat`, {
      method: "POST",
      signal: controller.signal,
      headers: { "content-type": "application/json", "x-api-key": chats.organization.keys.viewer },
      body: JSON.stringify({
        agentId: chats.organization.agentId,
        identifier: "customer-7",
        input: "Take your time",
        sessionId,
      }),
    }).catch(() => "left");
    await expect.poll(() => held, SOON).toBeDefined();
    controller.abort();
    expect(await left).toBe("left");
    held?.token("Here it is.");
    held?.done();
    const last = async () =>
      ((await chats.messages(sessionId)).body.messages as { text: string }[]).at(-1)?.text;
    await expect.poll(last, SOON).toBe("Here it is.");
  });
});
