import { z } from "zod";
import { objectOf, type ToolParameters, toolDescription, toolKind, toolName } from "./tool-kind.ts";

const settings = z.object({
  kind: z.literal("hand_off"),
  name: toolName.default("hand_off"),
  description: toolDescription.default("Hands the caller to another agent, who goes on from here."),
  agents: z
    .array(z.object({ name: z.string().min(1).max(128), agentId: z.string().min(1).max(64) }))
    .min(1)
    .max(20),
});
export type HandOffTool = z.infer<typeof settings>;

/** Lets the model hand the conversation to one of these agents. */
export const handOffKind = toolKind({
  settings,
  media: ["voice", "text"],
  reach: "control",
  parameters: ({ agents }) => parametersOf(agents),
});

function parametersOf(agents: HandOffTool["agents"]): ToolParameters {
  const agent = { type: "string", enum: agents.map(({ name }) => name) };
  const description = "What the other agent has to know: who the caller is, what they want, what was said.";
  return objectOf({ agent, summary: { type: "string", description } }, ["agent", "summary"]);
}
