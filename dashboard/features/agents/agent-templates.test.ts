import { newAgentSchema } from "@parley/shared/contracts/agents.ts";
import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { expect, it } from "vitest";
import { TEMPLATES } from "./agent-templates.ts";

it.each(TEMPLATES)(
  "the template “$name” makes an agent once it has an address",
  ({ agentName, settings }) => {
    const brain = { ...(isObject(settings.brain) ? settings.brain : {}), url: "https://a.example/v1" };
    expect(newAgentSchema.safeParse({ ...settings, name: agentName, brain }).error).toBeUndefined();
  },
);

it.each(TEMPLATES)("what the template “$name” fills in is a variable of it", ({ settings }) => {
  const declared = newAgentSchema.shape.variables.parse(settings.variables).map(({ name }) => name);
  const used = [...JSON.stringify(settings).matchAll(/(?<!")\{([a-z]+)\}/g)].map(([, name]) => name);
  expect(declared).toEqual(expect.arrayContaining(used));
});
