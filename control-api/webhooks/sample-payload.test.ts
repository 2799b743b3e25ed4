import { EVENT_CATALOG, EVENT_NAMES } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { describe, expect, it } from "vitest";
import { samplePayload } from "./sample-payload.ts";

const context = { orgId: "org_1", occurredAt: "2026-11-22T10:00:00.000Z" };
const ended = (set: Record<string, unknown>) => samplePayload("call.ended", { ...context, set });

describe("the payload of a sample", () => {
  it.each(EVENT_NAMES)("of %s is the catalog's, as if it had happened now", (name) => {
    expect(samplePayload(name, context)).toEqual({ ...EVENT_CATALOG[name].sample, ...context });
  });

  it("has other values where they are set, also in what it contains", () => {
    const set = {
      endReason: "max_duration",
      durationSecs: 7,
      "transcript.0.text": "Hi",
      "variables.tier": "gold",
    };
    expect(ended(set)).toMatchObject({
      endReason: "max_duration",
      durationSecs: 7,
      transcript: [{ role: "assistant", text: "Hi" }, { role: "user" }],
      variables: { tier: "gold", identifier: "customer-7" },
    });
    expect(EVENT_CATALOG["call.ended"].sample.endReason).toBe("agent_end_call");
  });

  it("takes a number as text where the event has text, and null where it may be null", () => {
    expect(samplePayload("call.dtmf", { ...context, set: { digit: 7 } })).toMatchObject({ digit: "7" });
    expect(ended({ identifier: 42, agentId: null })).toMatchObject({ identifier: "42", agentId: null });
    expect(ended({ "variables.age": 42 })).toMatchObject({ variables: { age: "42" } });
  });

  it.each([
    [{ event: "call.started" }, "The field event cannot be set."],
    [{ durationSecs: "long" }, "durationSecs"],
    [{ no_such_field: 1 }, "no_such_field"],
    [{ "__proto__.x": 1 }, "__proto__"],
    [{ "transcript.0.role": "nobody" }, "transcript.0.role"],
    [{ transcript: null }, "transcript"],
  ])("refuses %j", (set, why) => {
    expect(() => ended(set)).toThrow(why);
  });
});
