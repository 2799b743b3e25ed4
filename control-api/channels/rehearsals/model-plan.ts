import { type BrainPlan, plannedBrainSchema } from "@parley/shared/contracts/brain-plan.ts";

interface Asked {
  /** Defaults to the model of the agent's brain. */
  readonly model: string | undefined;
  readonly prompt: string;
  readonly tools: readonly object[];
}

/** The model of a rehearsal's caller or judge; undefined if neither it nor the agent's brain names one. */
export function modelOf(
  { model }: { readonly model?: string | undefined },
  brain: { readonly kind?: unknown },
): string | undefined {
  const own = "model" in brain && typeof brain.model === "string" ? brain.model : undefined;
  return model ?? own;
}

/** How to ask the model: at the service of the agent's model if it has one, else at the operator's. */
export function planOf({ model, prompt, tools }: Asked, brain: BrainPlan): BrainPlan {
  const own = brain.kind === "model" || brain.kind === "flow" ? brain : undefined;
  return plannedBrainSchema.parse({
    kind: "model",
    model: modelOf({ model }, brain),
    prompt,
    ...(own?.url === undefined ? {} : { url: own.url }),
    ...(own?.secret === undefined ? {} : { secret: own.secret }),
    tools,
  });
}
