import { expect, it } from "vitest";
import type { Answer } from "./answer-parts.ts";
import { endOf, eventsOfTurn } from "./chat-events.ts";
import type { OpenedTurn } from "./open-turn.ts";
import type { StoredChat } from "./store.ts";

const NOW_MS = Date.parse("2026-11-22T10:00:00.000Z");
const chat = { sessionId: "ses_1", orgId: "org_1", turns: 0, nextSeq: 0, lastEventAt: null };
const turn = {
  turn: 1,
  input: "Hello",
  agentId: "agt_1",
  askedAt: new Date(NOW_MS).toISOString(),
} as OpenedTurn;
const tool = { name: "book", arguments: {}, result: null, status: "success", latencyMs: 1 };
const answer: Answer = {
  reply: "Done",
  tools: [tool, tool, tool],
  isEnded: false,
  isInterrupted: false,
  tookMs: 0,
  parts: [
    {
      ...{ agentId: "agt_1", agentVersion: 1, summary: undefined, reply: "Done" },
      ...{
        tools: [tool, tool, tool],
        path: [],
        tokens: [{ model: "m", isOwn: false, inputTokens: 1, outputTokens: 1 }],
      },
    },
  ],
  brain: { kind: "custom" } as Answer["brain"],
  place: undefined,
};

it("tells no two events of a chat to have happened at the same time, whatever another process's clock says", () => {
  const first = eventsOfTurn(chat as unknown as StoredChat, turn, answer, NOW_MS);
  expect(first.map(({ type }) => type)).toEqual([
    "call.started",
    "call.message",
    "call.tool_invoked",
    "call.tool_invoked",
    "call.tool_invoked",
    "call.tokens_used",
    "call.message",
  ]);
  const lastEventAt = new Date(first.at(-1)?.at ?? 0);
  const behind = { ...chat, turns: 1, nextSeq: first.length, lastEventAt } as unknown as StoredChat;
  const slowMs = NOW_MS - 5_000;
  const slow = { ...turn, askedAt: new Date(slowMs).toISOString() };
  const next = eventsOfTurn(behind, slow, answer, slowMs);
  const kept = { ...behind, lastEventAt: new Date(next.at(-1)?.at ?? 0) };
  const end = endOf(kept, "chat_idle", { seq: 11, nowMs: slowMs });
  const times = [...first, ...next, end].map(({ at }) => at);
  expect(new Set(times).size).toBe(times.length);
  expect(times).toEqual(times.toSorted());
});
