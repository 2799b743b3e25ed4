import type { Databases } from "../database/open.ts";
import { every } from "../jobs/job-kind.ts";
import type { Module } from "../modules/module.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import type { CampaignsDeps } from "./deps.ts";
import { noteCallOptOuts } from "./do-not-call/note-opt-outs.ts";
import { doNotCallRoutes } from "./do-not-call/routes.ts";
import { type DialDeps, dialsAttempts } from "./runner/dial-attempt.ts";
import { runCampaigns } from "./runner/run-campaigns.ts";
import { CALLED, eraseTargets, forgetTargets, LISTED } from "./targets/erase-targets.ts";
import { targetRoutes } from "./targets/routes.ts";
import { whatsAppCampaignRoutes } from "./whatsapp/routes.ts";
import { runWhatsAppCampaigns, type WhatsAppRunnerDeps } from "./whatsapp/run-whatsapp.ts";

export interface CampaignsModuleDeps extends CampaignsDeps, WhatsAppRunnerDeps, DialDeps {
  readonly database: Databases;
}

/** Interval between rounds that pick the next people to call. */
const ROUND_MS = 1_000;

/** Campaigns and the do-not-call list. */
export function openCampaigns(deps: CampaignsModuleDeps): Module {
  const background = { ...deps, database: deps.database.background };
  return {
    name: "campaigns",
    routes: (app) => {
      doNotCallRoutes(app, deps);
      campaignRoutes(app, deps);
      targetRoutes(app, deps);
      whatsAppCampaignRoutes(app, deps);
    },
    jobs: [
      every(ROUND_MS, "run_campaigns", (signal) => runCampaigns(signal, background)),
      dialsAttempts(background),
      every(ROUND_MS, "run_whatsapp_campaigns", (signal) => runWhatsAppCampaigns(signal, background)),
    ],
    subscriptions: [noteCallOptOuts],
    eraseContent: eraseTargets,
    forgetPeople: forgetTargets,
    personalData: [CALLED],
    knownPeople: [LISTED],
  };
}
