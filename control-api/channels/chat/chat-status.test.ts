import { describe, expect, it } from "vitest";
import { type ChatStatus, type ChatTimes, chatStatusOf, reasonToFinalize } from "./chat-status.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const LIMITS = { idleMs: 60_000, maxAgeMs: 3_600_000 };
const ago = (ms: number): Date => new Date(NOW_MS - ms);
const CHAT: ChatTimes = {
  turns: 2,
  leaseUntil: null,
  activeAt: ago(1_000),
  createdAt: ago(10_000),
  endReason: null,
  finalizedAt: null,
};

describe("a chat", () => {
  it.each<[string, Partial<ChatTimes>, ChatStatus, string | undefined]>([
    ["that waits for a message", {}, "open", undefined],
    ["whose reply is being generated", { leaseUntil: ago(-1) }, "generating", undefined],
    ["whose reply died with its process", { leaseUntil: ago(0) }, "open", undefined],
    ["whose first reply died with its process", { turns: 0, leaseUntil: ago(0) }, "open", "node_lost"],
    ["whose first reply is being generated", { turns: 0, leaseUntil: ago(-1) }, "generating", undefined],
    ["that was idle just as long as it may", { activeAt: ago(60_000) }, "open", undefined],
    ["that was idle too long", { activeAt: ago(60_001) }, "over", "chat_idle"],
    ["that is as old as it may get", { createdAt: ago(3_600_000) }, "open", undefined],
    ["that is too old", { createdAt: ago(3_600_001) }, "over", "max_duration"],
    ["that is too old in mid-reply", { createdAt: ago(3_600_001), leaseUntil: ago(-1) }, "over", undefined],
    ["somebody ends in mid-reply", { endReason: "api_request", leaseUntil: ago(-1) }, "over", undefined],
    ["somebody ended before its process died", { endReason: "api_request" }, "over", "api_request"],
    ["that is finalized", { endReason: "api_request", finalizedAt: ago(0) }, "over", undefined],
  ])("%s", (_what, changes, status, reason) => {
    const chat = { ...CHAT, ...changes };
    expect(chatStatusOf(chat, NOW_MS, LIMITS)).toBe(status);
    expect(reasonToFinalize(chat, NOW_MS, LIMITS)).toBe(reason);
  });
});
