import { createCustomBrains } from "./custom/client.ts";
import { createFlowBrains } from "./flow/client.ts";
import { createModelBrains, type OperatorModels } from "./model/client.ts";
import type { BrainClient, BrainDeps, BrainQuestion } from "./port.ts";

export type { BrainPart } from "./parts.ts";
export type { AgentLine, BrainClient } from "./port.ts";

export interface BrainClientDeps extends BrainDeps {
  readonly models: OperatorModels;
}

/** The brains of all agents: customers' own endpoints, prompted models, and flows. */
export function createBrainClient(deps: BrainClientDeps): BrainClient {
  const custom = createCustomBrains(deps);
  const model = createModelBrains(deps);
  const flow = createFlowBrains({ ...deps, model });
  return {
    ask: (question: BrainQuestion) => {
      const { plan } = question;
      switch (plan.kind) {
        case "model":
          return model.ask({ ...question, plan });
        case "flow":
          return flow.ask({ ...question, plan });
        default:
          return custom.ask({ ...question, plan });
      }
    },
  };
}
