import {
  campaignDeletedResponseSchema,
  campaignParamsSchema,
  campaignProgressResponseSchema,
  campaignResponseSchema,
  campaignsQuerySchema,
  campaignsResponseSchema,
  createCampaignSchema,
  updateCampaignSchema,
} from "@parley/shared/contracts/campaigns.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { CAMPAIGNS_READ, CAMPAIGNS_WRITE } from "../../http/access/rules.ts";
import { actorOf, memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { CampaignsDeps } from "../deps.ts";
import { findCampaign } from "./campaign-row.ts";
import {
  changeCampaign,
  createCampaign,
  deleteCampaign,
  moveCampaign,
  readCampaign,
  readCampaigns,
} from "./campaigns.ts";
import { readProgress } from "./read-progress.ts";

const CAMPAIGNS = "/api/orgs/:orgId/campaigns";
const CAMPAIGN = `${CAMPAIGNS}/:campaignId`;
const about = { tags: ["campaigns"], security: USER_SECURITY };
const ofOne = { ...about, params: campaignParamsSchema, response: responses(200, campaignResponseSchema) };
const reads = { access: CAMPAIGNS_READ };
const writes = { access: CAMPAIGNS_WRITE };

/** `/api/orgs/{orgId}/campaigns`: an agent calls many people. */
export function campaignRoutes(app: Api, deps: CampaignsDeps): void {
  collectionRoutes(app, deps);
  changeRoutes(app, deps);
  for (const [step, summary] of STEPS) stepRoute(app, { step, summary }, deps);
}

const STEPS = [
  ["start", "Start a campaign, or go on with one that is paused"],
  ["pause", "Pause a campaign: nobody else is dialed, calls that go on are not ended"],
  ["cancel", "Cancel a campaign for good"],
] as const;

function collectionRoutes(app: Api, deps: CampaignsDeps): void {
  app.get(
    CAMPAIGNS,
    {
      config: reads,
      schema: {
        ...about,
        summary: "List campaigns, newest first",
        params: orgParamsSchema,
        querystring: campaignsQuerySchema,
        response: responses(200, campaignsResponseSchema),
      },
    },
    async (request) =>
      success({ campaigns: await readCampaigns(actorOf(request).orgId, request.query, deps) }),
  );
  app.post(
    CAMPAIGNS,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Create a campaign; it calls nobody until it is started",
        params: orgParamsSchema,
        body: createCampaignSchema,
        response: responses(201, campaignResponseSchema),
      },
    },
    async (request, reply) =>
      reply.status(201).send(success(await createCampaign(request.body, memberOf(request), deps))),
  );
}

function changeRoutes(app: Api, deps: CampaignsDeps): void {
  app.get(
    CAMPAIGN,
    { config: reads, schema: { ...ofOne, summary: "Read a campaign, with how many targets are where" } },
    async (request) =>
      success(await readCampaign({ orgId: actorOf(request).orgId, id: request.params.campaignId }, deps)),
  );
  app.get(
    `${CAMPAIGN}/progress`,
    {
      config: reads,
      schema: {
        ...about,
        summary: "Read how a campaign goes: calls by hour, talk, cost",
        params: campaignParamsSchema,
        response: responses(200, campaignProgressResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const { id } = await findCampaign(deps.database.db, "calls", orgId, request.params.campaignId);
      return success(await readProgress(deps.database.db, id));
    },
  );
  app.patch(
    CAMPAIGN,
    {
      config: writes,
      schema: {
        ...ofOne,
        summary: "Change a campaign, also while it runs; holds from the next call on",
        body: updateCampaignSchema,
      },
    },
    async (request) => {
      const whose = { orgId: actorOf(request).orgId, id: request.params.campaignId };
      return success(await changeCampaign(whose, request.body, deps));
    },
  );
  app.delete(
    CAMPAIGN,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Delete a campaign with its targets; records of its calls stay",
        params: campaignParamsSchema,
        response: responses(200, campaignDeletedResponseSchema),
      },
    },
    async (request) => {
      const { campaignId: id } = request.params;
      await deleteCampaign({ orgId: actorOf(request).orgId, id }, deps);
      return success({ id });
    },
  );
}

function stepRoute(
  app: Api,
  { step, summary }: { readonly step: (typeof STEPS)[number][0]; readonly summary: string },
  deps: CampaignsDeps,
): void {
  app.post(`${CAMPAIGN}/${step}`, { config: writes, schema: { ...ofOne, summary } }, async (request) => {
    const whose = { orgId: actorOf(request).orgId, id: request.params.campaignId };
    return success(await moveCampaign(whose, step, deps));
  });
}
