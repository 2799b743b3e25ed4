import { type Agent, newAgentSchema } from "@parley/shared/contracts/agents.ts";
import type { Json } from "@parley/shared/contracts/merge-patch.ts";
import { describe, expect, it } from "vitest";
import { changeBody, draftOf, isChanged } from "./agent-draft.ts";
import { faultsOf } from "./agent-faults.ts";
import { withValueAt } from "./json-at.ts";

function agent(brain: Json): Agent {
  const { name, ...config } = newAgentSchema.parse({ name: "Anna", brain });
  const shown = { ...config.brain, hasSecret: true };
  const times = { createdAt: "2026-11-20T10:00:00Z", updatedAt: "2026-11-20T10:00:00Z" };
  return { id: "agt_1", name, version: 3, ...config, ...times, metadata: { tools: [] }, brain: shown };
}

const custom = agent({ url: "https://brain.example/", payload: { tenant: 7 } });
const model = agent({ kind: "model", model: "m", prompt: "You are Anna." });

describe("an agent as it is edited", () => {
  it("has no secret and says the kind of its brain", () => {
    const draft = draftOf(custom);
    expect(draft.brain).toMatchObject({ kind: "custom", url: "https://brain.example/" });
    expect(Object.keys(draft.brain as Json)).not.toContain("hasSecret");
    expect(faultsOf(draft, draft)).toEqual({});
    expect(isChanged(draft, draftOf(custom))).toBe(false);
  });

  it.each<[string, Agent, string, unknown, string]>([
    [
      "brain.url",
      custom,
      "brain.url",
      "brain.example",
      "Enter a full URL, such as https://example.com/agent.",
    ],
    ["an empty address", custom, "brain.url", undefined, "This field is required."],
    ["an empty prompt", model, "brain.prompt", "", "This field is required."],
    ["a payload that is no JSON", custom, "brain.payload", "{", "Enter a JSON object: { … }."],
    [
      "a payload with null",
      custom,
      "brain.payload",
      { a: { b: null } },
      "Leave a.b out: null takes a field away.",
    ],
    ["a time that is too short", custom, "maxDurationMs", 1, "At least 0.02 min."],
    ["half a millisecond", custom, "brain.idleTimeoutMs", 1_000.5, "Enter a whole number."],
    ["a text for a number", custom, "brain.idleTimeoutMs", "soon", "Enter a number."],
    ["a temperature of 3", model, "brain.temperature", 3, "At most 2."],
    ["a name of blanks", custom, "name", "", "This field is required."],
  ])("is held against the API's own schema: %s", (_, ...[of, path, value, words]) => {
    const base = draftOf(of);
    expect(faultsOf(withValueAt(base, path, value), base)).toEqual({ [path]: words });
  });

  it.each<[string, Json, string]>([
    ["two variables of one name", { variables: [{ name: "a" }, { name: "a" }] }, "variables"],
    ["a message that is missing", { voicemail: { action: "message" } }, "voicemail.message"],
    ["a variable's name", { variables: [{ name: "a b" }] }, "variables.0.name"],
  ])("names the place of %s", (_, change, path) => {
    expect(Object.keys(faultsOf({ ...draftOf(custom), ...change }, draftOf(custom)))).toEqual([path]);
  });

  it("may keep a null that its payload had before", () => {
    const base = draftOf(agent({ url: "https://brain.example/", payload: { old: null, plan: "gold" } }));
    expect(faultsOf(withValueAt(base, "brain.payload.plan", "silver"), base)).toEqual({});
  });

  it("is saved as a change of what was touched, to the version it began from", () => {
    const base = draftOf(custom);
    const draft = withValueAt(withValueAt(base, "name", "Bea"), "brain.secret", null);
    expect(faultsOf(draft, base)).toEqual({});
    expect(changeBody(base, draft, 3)).toEqual({ name: "Bea", brain: { secret: null }, version: 3 });
  });
});
