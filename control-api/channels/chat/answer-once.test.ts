import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { type ChatAnswer, readStreamed, TestChats } from "../../../testkit/chat.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";

const SOON = { timeout: 90_000 };

let api: TestControlApi;
let chats: TestChats;
let answer: (turn: BrainTurn) => void;
let keys = 0;

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  chats = await TestChats.start(api, (turn) => answer(turn));
});
afterAll(async () => {
  chats.close();
  await api.close();
});

const newKey = (): string => `message-${++keys}`;
const asked = (): number => chats.brain.turns.length;
const sayWith = (key: string, input: string, over: Record<string, unknown> = {}) =>
  chats.say(input, over, { headers: { "idempotency-key": key } });
const plain = ({ status, body }: ChatAnswer) => ({ status, body });

/** Says something else each time. */
const counting = (turn: BrainTurn): void => {
  turn.control({ event: "tool", name: "look", arguments: {}, result: asked() });
  turn.token(`Answer ${asked()}`);
  turn.done();
};

describe("a message with an Idempotency-Key", () => {
  it("sent twice asks the brain once, in one chat, and gets the same answer", async () => {
    answer = counting;
    const before = asked();
    const key = newKey();
    const first = await sayWith(key, "Hello?");
    const again = await sayWith(key, "Hello?");
    expect(plain(again)).toEqual(plain(first));
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(asked()).toBe(before + 1);
    const { sessionId } = first;
    const nextKey = newKey();
    const next = await sayWith(nextKey, "And then?", { sessionId });
    expect(plain(await sayWith(nextKey, "And then?", { sessionId }))).toEqual(plain(next));
    expect(next.body.turn).toBe(2);
    expect((await chats.messages(sessionId)).body.messages).toHaveLength(4);
  });

  it("sent again while the first is answered is told to wait, and gets that one's answer", async () => {
    let held: BrainTurn | undefined;
    answer = (turn) => {
      held = turn;
    };
    const key = newKey();
    const first = sayWith(key, "Hello?");
    await expect.poll(() => held, SOON).toBeDefined();
    const early = await sayWith(key, "Hello?");
    expect(early).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(early.headers.get("retry-after")).toBe("1");
    counting(held as BrainTurn);
    const answered = plain(await first);
    expect(plain(await sayWith(key, "Hello?"))).toEqual(answered);
  });

  it("streamed is answered to its end though its client leaves, and streamed again from what was kept", async () => {
    let held: BrainTurn | undefined;
    answer = (turn) => {
      held = turn;
      turn.token("Once upon");
    };
    const key = newKey();
    const { organization } = chats;
    const body = { agentId: organization.agentId, identifier: "customer-7", input: "A story" };
    const controller = new AbortController();
    const response = await fetch(`${api.api.baseUrl}/api/v1/chat`, {
      method: "POST",
      signal: controller.signal,
      headers: {
        accept: "text/event-stream",
        "content-type": "application/json",
        "idempotency-key": key,
        "x-api-key": organization.keys.viewer,
      },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    await expect.poll(() => held, SOON).toBeDefined();
    controller.abort();
    held?.token(" a time.");
    held?.done();
    const headers = { "idempotency-key": key, "x-api-key": organization.keys.viewer };
    const again = () => readStreamed(api, "/api/v1/chat", { headers, body });
    await expect.poll(async () => (await again()).status, SOON).toBe(200);
    const { text } = await again();
    expect(text).toContain('event: token\ndata: {"text":"Once upon a time."}');
    expect(text).toMatch(/event: done\ndata: .*"reply":"Once upon a time\."/);
  });

  it("that failed may be sent again", async () => {
    answer = (turn) => void turn.res.writeHead(500).end();
    const key = newKey();
    expect((await sayWith(key, "Hello?")).status).toBe(502);
    answer = counting;
    expect((await sayWith(key, "Hello?")).status).toBe(200);
  });

  it("is refused when it says something else, and is another one with another key or of another organization", async () => {
    answer = counting;
    const key = newKey();
    const { sessionId } = await sayWith(key, "Hello?");
    expect((await sayWith(key, "Goodbye")).status).toBe(400);
    expect((await sayWith(newKey(), "Hello?")).sessionId).not.toBe(sessionId);
    const others = await TestChats.start(api, counting);
    const theirs = await others.say("Hello?", {}, { headers: { "idempotency-key": key } });
    expect(theirs.status).toBe(200);
    expect(theirs.sessionId).not.toBe(sessionId);
    others.close();
  });

  it("has its answer kept sealed", async () => {
    answer = (turn) => {
      turn.token("Your card is 4111 1111 1111 1111.");
      turn.done();
    };
    const key = newKey();
    const first = await sayWith(key, "Which card have I?");
    const rows = await api.database.db
      .selectFrom("idempotent_requests")
      .select(["response", "session_id"])
      .where("key", "=", key)
      .execute();
    expect(rows).toEqual([{ response: expect.stringMatching(/^v1\./), session_id: first.sessionId }]);
    expect(plain(await sayWith(key, "Which card have I?"))).toEqual(plain(first));
  });
});
