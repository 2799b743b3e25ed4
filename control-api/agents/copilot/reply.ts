import { jsonIn } from "@parley/shared/brain/model/ask-json.ts";
import { type AgentConfig, agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import { flowSchema } from "@parley/shared/contracts/flows/flow.ts";
import { isObject } from "@parley/shared/contracts/merge-patch.ts";
import { postCallAnalysisSchema } from "@parley/shared/contracts/post-call-analysis.ts";
import { parseInput } from "@parley/shared/contracts/problems.ts";
import { rehearsalSettingsSchema, type Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { strictly } from "@parley/shared/contracts/strictly.ts";
import { z } from "zod";

/** A model's reply: parts of an agent; absent parts stay unchanged. */

const { customFields } = postCallAnalysisSchema.shape;
const { scenarios } = rehearsalSettingsSchema.shape;

export const replySchema = z.object({
  summary: z.string().trim().min(1).max(4_000),
  /** For an agent whose brain is a model. */
  prompt: z.string().trim().min(1).max(100_000).optional(),
  /** For an agent whose brain is a flow. */
  flow: flowSchema.optional(),
  firstResponse: agentConfigSchema.shape.firstResponse.optional(),
  variables: agentConfigSchema.shape.variables.optional(),
  /** Values to extract from each conversation. */
  fields: customFields.optional(),
  scenarios: scenarios.optional(),
});
export type Reply = z.infer<typeof replySchema>;

const strictReplySchema = strictly(replySchema);

/** Throws `AppError` validation_failed, naming each invalid field. */
export function readReply(answer: string): Reply {
  return parseInput(strictReplySchema, withoutNulls(jsonIn(answer)), "body");
}

/** Drops nulls, which models write for fields they leave out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isObject(value)) return value;
  const given = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(given.map(([name, item]) => [name, withoutNulls(item)]));
}

/** The current settings that a draft changes. */
export type Drafted = Pick<AgentConfig, "brain" | "variables" | "postCallAnalysis" | "rehearsals">;

/** Merges both lists by name; entries of `after` win. */
export function merged<T>(before: readonly T[], after: readonly T[], nameOf: (item: T) => string): T[] {
  const names = new Set(after.map(nameOf));
  return [...before.filter((item) => !names.has(nameOf(item))), ...after];
}

/** Expectations of scenarios that cannot come true; paths refer to the reply. */
export function scenarioFaults(
  drafted: readonly Scenario[],
  brain: AgentConfig["brain"],
): { readonly field: string; readonly text: string }[] {
  const nodes = brain.kind === "flow" ? brain.flow.nodes.map(({ id }) => id) : [];
  const tools = brain.tools.map(({ name }) => name);
  const hasModel = "model" in brain && brain.model !== undefined;
  return drafted.flatMap(({ criteria }, at) =>
    criteria.flatMap((criterion, nr) => {
      const field = `scenarios.${at}.criteria.${nr}`;
      if (criterion.kind === "reaches" && !nodes.includes(criterion.node))
        return [{ field, text: `is about the node "${criterion.node}", which the agent does not have` }];
      if (criterion.kind === "judged" && criterion.model === undefined && !hasModel)
        return [{ field, text: "is judged by a model, and the agent has none" }];
      if (criterion.kind === "calls_tool" && !tools.includes(criterion.tool))
        return [{ field, text: `is about the tool "${criterion.tool}", which the agent does not have` }];
      return [];
    }),
  );
}

/** Transfer numbers that no one provided: a model may have made them up. */
export function inventedNumbers(
  { flow }: Reply,
  known: string,
): { readonly field: string; readonly text: string }[] {
  const digits = known.replaceAll(/[^\d]/g, "");
  return (flow?.nodes ?? []).flatMap((node, at) =>
    node.type === "transfer" && !digits.includes(node.to.slice(1))
      ? [
          {
            field: `flow.nodes.${at}.to`,
            text: "is a number that was not given; transfer to one that was, or leave it out",
          },
        ]
      : [],
  );
}
