import {
  addTargetsSchema,
  campaignDeletedResponseSchema,
  campaignParamsSchema,
  campaignsQuerySchema,
  importTargetsSchema,
  targetsAddedResponseSchema,
  targetsQuerySchema,
  targetsResponseSchema,
} from "@parley/shared/contracts/campaigns.ts";
import { MAX_LIST_BYTES } from "@parley/shared/contracts/do-not-call.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  createWhatsAppCampaignSchema,
  updateWhatsAppCampaignSchema,
  whatsAppCampaignResponseSchema,
  whatsAppCampaignsResponseSchema,
} from "@parley/shared/contracts/whatsapp-campaigns.ts";
import { CHANNELS_READ, CHANNELS_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, KEY_OR_USER_SECURITY, responses, success } from "../../http/routes.ts";
import { findCampaign } from "../campaigns/campaign-row.ts";
import { removeCampaign, takeStep } from "../campaigns/steps.ts";
import type { CampaignsDeps } from "../deps.ts";
import { readCsv } from "../read-csv.ts";
import { addTargets } from "../targets/add-targets.ts";
import { rowsOfTable } from "../targets/read-rows.ts";
import { listTargets } from "../targets/store.ts";
import {
  changeWhatsAppCampaign,
  createWhatsAppCampaign,
  listWhatsAppCampaigns,
  readWhatsAppCampaign,
} from "./whatsapp-campaigns.ts";

const KIND = "whatsapp";
const CAMPAIGNS = "/api/orgs/:orgId/whatsapp-campaigns";
const CAMPAIGN = `${CAMPAIGNS}/:campaignId`;
const about = { tags: ["campaigns"], security: KEY_OR_USER_SECURITY };
const ofOne = { ...about, params: campaignParamsSchema };
const reads = { access: CHANNELS_READ };
const writes = { access: CHANNELS_WRITE };

const STEPS = [
  ["start", "Start a WhatsApp campaign, or go on with one that is paused"],
  ["pause", "Pause a WhatsApp campaign"],
  ["cancel", "Cancel a WhatsApp campaign for good"],
] as const;

/** `/api/orgs/{orgId}/whatsapp-campaigns`: sends a template to many people. */
export function whatsAppCampaignRoutes(app: Api, deps: CampaignsDeps): void {
  collectionRoutes(app, deps);
  oneRoutes(app, deps);
  targetListRoutes(app, deps);
  for (const [step, summary] of STEPS) {
    const schema = { ...ofOne, summary, response: responses(200, whatsAppCampaignResponseSchema) };
    app.post(`${CAMPAIGN}/${step}`, { config: writes, schema }, async (request) => {
      const { orgId } = actorOf(request);
      const { campaignId: id } = request.params;
      await takeStep(KIND, { orgId, id }, step, deps);
      return success(await readWhatsAppCampaign(deps.database.db, orgId, id));
    });
  }
}

function collectionRoutes(app: Api, deps: CampaignsDeps): void {
  app.get(
    CAMPAIGNS,
    {
      config: reads,
      schema: {
        ...about,
        summary: "List WhatsApp campaigns, newest first",
        params: orgParamsSchema,
        querystring: campaignsQuerySchema,
        response: responses(200, whatsAppCampaignsResponseSchema),
      },
    },
    async (request) => {
      const query = { ...request.query, orgId: actorOf(request).orgId };
      return success({ campaigns: await listWhatsAppCampaigns(deps.database.db, query) });
    },
  );
  app.post(
    CAMPAIGNS,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Create a WhatsApp campaign; it writes to nobody until it is started",
        params: orgParamsSchema,
        body: createWhatsAppCampaignSchema,
        response: responses(201, whatsAppCampaignResponseSchema),
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const whose = { orgId: actor.orgId, by: actor.kind === "key" ? actor.keyId : actor.userId };
      return reply.status(201).send(success(await createWhatsAppCampaign(request.body, whose, deps)));
    },
  );
}

function oneRoutes(app: Api, deps: CampaignsDeps): void {
  app.get(
    CAMPAIGN,
    {
      config: reads,
      schema: {
        ...ofOne,
        summary: "Read a WhatsApp campaign, with how far its messages came",
        response: responses(200, whatsAppCampaignResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      return success(await readWhatsAppCampaign(deps.database.db, orgId, request.params.campaignId));
    },
  );
  app.patch(
    CAMPAIGN,
    {
      config: writes,
      schema: {
        ...ofOne,
        summary: "Change a WhatsApp campaign, also while it runs",
        body: updateWhatsAppCampaignSchema,
        response: responses(200, whatsAppCampaignResponseSchema),
      },
    },
    async (request) => {
      const whose = { orgId: actorOf(request).orgId, id: request.params.campaignId };
      return success(await changeWhatsAppCampaign(whose, request.body, deps));
    },
  );
  app.delete(
    CAMPAIGN,
    {
      config: writes,
      schema: {
        ...ofOne,
        summary: "Delete a WhatsApp campaign with its targets; its conversations stay",
        response: responses(200, campaignDeletedResponseSchema),
      },
    },
    async (request) => {
      const { campaignId: id } = request.params;
      await removeCampaign(KIND, { orgId: actorOf(request).orgId, id }, deps);
      return success({ id });
    },
  );
}

function targetListRoutes(app: Api, deps: CampaignsDeps): void {
  const { db } = deps.database;
  app.get(
    `${CAMPAIGN}/targets`,
    {
      config: reads,
      schema: {
        ...ofOne,
        summary: "List whom a WhatsApp campaign writes to, in the order in which they were added",
        querystring: targetsQuerySchema,
        response: responses(200, targetsResponseSchema),
      },
    },
    async (request) => {
      const { id } = await findCampaign(db, KIND, actorOf(request).orgId, request.params.campaignId);
      return success({ targets: await listTargets(db, id, request.query) });
    },
  );
  const added = { ...ofOne, response: responses(200, targetsAddedResponseSchema) };
  app.post(
    `${CAMPAIGN}/targets`,
    {
      config: writes,
      bodyLimit: MAX_LIST_BYTES,
      schema: { ...added, summary: "Add up to 1,000 people to write to", body: addTargetsSchema },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const { id } = await findCampaign(db, KIND, orgId, request.params.campaignId);
      return success(await addTargets({ orgId, campaignId: id }, request.body, deps));
    },
  );
  app.post(
    `${CAMPAIGN}/targets/import`,
    {
      config: writes,
      bodyLimit: MAX_LIST_BYTES,
      schema: { ...added, summary: "Add the people of a CSV file to write to", body: importTargetsSchema },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const { id } = await findCampaign(db, KIND, orgId, request.params.campaignId);
      const { csv, mapping } = request.body;
      const rows = rowsOfTable(readCsv(csv));
      return success(await addTargets({ orgId, campaignId: id }, { rows, mapping }, deps));
    },
  );
}
