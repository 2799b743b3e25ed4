import { describe, expect, it, onTestFinished } from "vitest";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { timesRecorded } from "../../../testkit/call-events.ts";
import { TestChats } from "../../../testkit/chat.ts";
import { needs } from "../../../testkit/needs.ts";
import { startTwoApis } from "../../../testkit/two-apis.ts";

/** Other processes have this machine, too. */
const SOON = { timeout: 90_000 };

describe.runIf(needs("redis") && needs("postgres"))("two control APIs", () => {
  it("hold one chat: one generates while the other says to wait, and either goes on", async () => {
    const nodes = await startTwoApis({ allowPrivateTargets: ["127.0.0.0/8"] });
    onTestFinished(() => nodes.close());
    const { one, other } = nodes;
    const held: BrainTurn[] = [];
    const chats = await TestChats.start(one, (turn) => held.push(turn));
    onTestFinished(() => chats.close());
    const finish = (text: string): void => {
      const turn = held.shift();
      turn?.token(text);
      turn?.done();
    };

    const first = chats.say("One");
    await expect.poll(() => held, SOON).toHaveLength(1);
    finish("1");
    const { sessionId } = await first;

    const racing = Array.from({ length: 10 }, (_, i) =>
      chats.say("Two", { sessionId }, { api: i % 2 === 0 ? one : other }),
    );
    await expect.poll(() => held, SOON).toHaveLength(1);
    expect((await chats.say("Wait?", { sessionId }, { api: one })).status).toBe(409);
    expect((await chats.say("Wait?", { sessionId }, { api: other })).status).toBe(409);
    finish("2");
    const statuses = (await Promise.all(racing)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);

    const third = chats.say("Three", { sessionId }, { api: other });
    await expect.poll(() => held, SOON).toHaveLength(1);
    finish("3");
    expect((await third).body).toMatchObject({ turn: 3, reply: "3" });
    const read = (await chats.messages(sessionId, one)).body.messages as { text: string }[];
    expect(read.map(({ text }) => text)).toEqual(["One", "1", "Two", "2", "Three", "3"]);

    await Promise.all(Array.from({ length: 20 }, (_, i) => chats.end(sessionId, i % 2 === 0 ? one : other)));
    await expect
      .poll(async () => (await chats.record(sessionId)).status, { timeout: 90_000 })
      .toBe("completed");
    expect(await timesRecorded(one.database, sessionId, "call.ended")).toBe(1);
  });
});
