import { agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import { expect, it } from "vitest";
import { SECTIONS } from "./agent-sections.ts";

it("has a place on the page for each setting of an agent", () => {
  const shown: readonly string[] = SECTIONS.flatMap(({ roots }) => roots);
  const settings = Object.keys(agentConfigSchema.parse({ brain: { url: "https://brain.example/" } }));
  expect(settings).toContain("waiting");
  expect(settings.filter((setting) => !shown.includes(setting))).toEqual([]);
});
