import { createCustomBrains } from "./custom/client.ts";
import { createModelBrains, type OperatorModels } from "./model/client.ts";
import type { BrainClient, BrainDeps, BrainQuestion } from "./port.ts";

export type { BrainPart } from "./parts.ts";
export type { AgentLine, BrainClient } from "./port.ts";

export interface BrainClientDeps extends BrainDeps {
  readonly models: OperatorModels;
}

/** The brains of all agents: endpoints of the customers' own, and models with a prompt. */
export function createBrainClient(deps: BrainClientDeps): BrainClient {
  const custom = createCustomBrains(deps);
  const model = createModelBrains(deps);
  return {
    ask: (question: BrainQuestion) => {
      const { plan } = question;
      return plan.kind === "model" ? model.ask({ ...question, plan }) : custom.ask({ ...question, plan });
    },
  };
}
