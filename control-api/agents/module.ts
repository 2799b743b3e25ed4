import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Databases } from "../database/open.ts";
import { deleteEnded } from "../modules/delete-ended.ts";
import type { Module } from "../modules/module.ts";
import { agentRoutes } from "./agents/routes.ts";
import { type TestBrainRouteDeps, testBrainRoutes } from "./agents/test-brain-routes.ts";
import { agentVersionRoutes } from "./agents/version-routes.ts";
import { clientTokenRoutes } from "./client-tokens/routes.ts";
import { deleteOldClientTokens } from "./client-tokens/store.ts";
import { type CopilotDeps, copilotRoutes } from "./copilot/routes.ts";
import { piiRoutes } from "./pii/routes.ts";
import type { PublicAgentDeps } from "./public/public-agents.ts";
import { publicAgentRoutes } from "./public/routes.ts";
import { deleteOldVisits, eraseLeads, LEADS, LEADS_ALONE } from "./public/store.ts";
import { rehearsalReportRoutes } from "./rehearsals/routes.ts";
import { templateRoutes } from "./templates/routes.ts";
import { type ToolTryDeps, toolTryRoutes } from "./tool-tries/routes.ts";

export interface AgentsDeps extends TestBrainRouteDeps, ToolTryDeps {
  readonly database: Databases;
  readonly bus: Pick<Bus, "channels">;
  readonly baseUrl: PublicAgentDeps["baseUrl"];
  readonly modelMeter: CopilotDeps["modelMeter"];
}

/** Agents, their PII masking, and the tokens that begin a call with one. */
export function openAgents(deps: AgentsDeps): Module {
  return {
    name: "agents",
    routes: (app) => {
      agentRoutes(app, { ...deps, channels: deps.bus.channels });
      agentVersionRoutes(app, deps);
      rehearsalReportRoutes(app, deps);
      copilotRoutes(app, deps);
      templateRoutes(app, { ...deps, channels: deps.bus.channels });
      testBrainRoutes(app, deps);
      clientTokenRoutes(app, deps);
      publicAgentRoutes(app, deps);
      piiRoutes(app, deps);
      toolTryRoutes(app, deps);
    },
    eraseContent: eraseLeads,
    personalData: [LEADS],
    knownPeople: [LEADS_ALONE],
    jobs: [
      deleteEnded("agents", [deleteOldClientTokens, deleteOldVisits], {
        ...deps,
        database: deps.database.background,
      }),
    ],
  };
}
