import { describe, expect, it } from "vitest";
import { stateOf, successRate } from "./endpoint-state.ts";
import type { EndpointHealth, Webhook } from "./webhooks.ts";

const webhook: Webhook = {
  id: "whk_1",
  url: "https://acme.example/hook",
  events: ["*"],
  agentId: null,
  includeRecording: false,
  includeTranscript: false,
  enabled: true,
  last_error: null,
  createdAt: "2026-11-20T00:00:00.000Z",
};

const none = { delivered: 0, dead: 0, failed: 0, pending: 0, p50Ms: null, p95Ms: null };
const day = (...buckets: Partial<EndpointHealth["buckets"][number]>[]): EndpointHealth => ({
  id: webhook.id,
  ...none,
  buckets: buckets.map((bucket, i) => ({ ...none, at: `2026-11-20T0${i}:00:00.000Z`, ...bucket })),
});

describe("the state of an endpoint", () => {
  it("is disabled with the reason, whatever went before", () => {
    const gone = { ...webhook, enabled: false, last_error: "the receiver answered 410" };
    expect(stateOf(gone, day({ delivered: 9 }))).toEqual({ kind: "disabled", reason: gone.last_error });
  });

  it.each([
    ["nothing was raised", undefined, "quiet"],
    ["all is still on its way", day({ pending: 3 }), "quiet"],
    ["all got through", day({ delivered: 3 }), "healthy"],
    ["a few of many did not", day({ delivered: 19, failed: 1 }), "healthy"],
    ["a tenth did not", day({ delivered: 9, dead: 1 }), "failing"],
    ["it failed and was mended", day({ dead: 9 }, { delivered: 1 }), "healthy"],
    ["it was well and then failed", day({ delivered: 9 }, { failed: 1 }, { pending: 4 }), "failing"],
  ])("when %s", (_, health, kind) => {
    expect(stateOf(webhook, health).kind).toBe(kind);
  });

  it("counts what was missed since it began to fail", () => {
    const health = day({ failed: 5 }, { delivered: 9 }, { dead: 2 }, {}, { delivered: 1, failed: 3 });
    expect(stateOf(webhook, health)).toEqual({
      kind: "failing",
      missed: 5,
      tried: 6,
      sinceMs: Date.parse("2026-11-20T02:00:00.000Z"),
    });
  });
});

describe("the success rate", () => {
  it("leaves out what was not tried yet", () => {
    expect(successRate({ ...none, delivered: 3, failed: 1, pending: 6 })).toBe(0.75);
    expect(successRate({ ...none, pending: 6 })).toBeUndefined();
  });
});
