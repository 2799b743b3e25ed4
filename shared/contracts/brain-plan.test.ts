import { describe, expect, it } from "vitest";
import { lookTool } from "../../testkit/model-brain.ts";
import { brainSchema } from "./brain-plan.ts";

describe("an agent's settings", () => {
  it.each<[string, object]>([
    ["a host that a model could name", { tools: [{ ...lookTool({}), url: "https://{host}/x" }] }],
    [
      "a header that is ours to vouch for",
      { tools: [{ ...lookTool({ url: "https://a.example" }), headers: { "X-Service-Identifier": "me" } }] },
    ],
    ["two tools of one name", { tools: [{ kind: "end_call" }, { kind: "end_call" }] }],
    [
      "a number that is none",
      { tools: [{ kind: "transfer", destinations: [{ name: "a", number: "112" }] }] },
    ],
    ["no prompt", { prompt: "" }],
    ["an unknown kind", { kind: "magic" }],
  ])("may not have %s", (_what, input) => {
    expect(brainSchema.safeParse({ kind: "model", model: "m", prompt: "p", ...input }).success).toBe(false);
  });

  it("name a custom brain with or without its kind", () => {
    const url = "https://brain.example/";
    expect(brainSchema.parse({ url })).toMatchObject({ url, firstTokenTimeoutMs: 8_000 });
    expect(brainSchema.parse({ kind: "custom", url })).toMatchObject({ kind: "custom", url });
  });
});
