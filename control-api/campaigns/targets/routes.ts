import {
  addTargetsSchema,
  campaignParamsSchema,
  campaignTargetParamsSchema,
  importTargetsSchema,
  targetResponseSchema,
  targetsAddedResponseSchema,
  targetsQuerySchema,
  targetsResponseSchema,
} from "@parley/shared/contracts/campaigns.ts";
import { MAX_LIST_BYTES } from "@parley/shared/contracts/do-not-call.ts";
import { CAMPAIGNS_READ, CAMPAIGNS_WRITE } from "../../http/access/rules.ts";
import { actorOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { findCampaign } from "../campaigns/campaign-row.ts";
import type { CampaignsDeps } from "../deps.ts";
import { readCsv } from "../read-csv.ts";
import { addTargets } from "./add-targets.ts";
import { rowsOfTable } from "./read-rows.ts";
import { listTargets, removeTarget } from "./store.ts";

const TARGETS = "/api/orgs/:orgId/campaigns/:campaignId/targets";
const about = { tags: ["campaigns"], security: USER_SECURITY, params: campaignParamsSchema };
const reads = { access: CAMPAIGNS_READ };
const writes = { access: CAMPAIGNS_WRITE };

/** Targets of a campaign. */
export function targetRoutes(app: Api, deps: CampaignsDeps): void {
  listRoutes(app, deps);
  addRoutes(app, deps);
}

function listRoutes(app: Api, { database }: CampaignsDeps): void {
  app.get(
    TARGETS,
    {
      config: reads,
      schema: {
        ...about,
        summary: "List whom a campaign calls, in the order in which they were added",
        querystring: targetsQuerySchema,
        response: responses(200, targetsResponseSchema),
      },
    },
    async (request) => {
      const { id } = await findCampaign(
        database.db,
        "calls",
        actorOf(request).orgId,
        request.params.campaignId,
      );
      return success({ targets: await listTargets(database.db, id, request.query) });
    },
  );
  app.delete(
    `${TARGETS}/:targetId`,
    {
      config: writes,
      schema: {
        ...about,
        summary: "Leave somebody out who waits to be called",
        params: campaignTargetParamsSchema,
        response: responses(200, targetResponseSchema),
      },
    },
    async (request) => {
      const { campaignId, targetId } = request.params;
      const { id } = await findCampaign(database.db, "calls", actorOf(request).orgId, campaignId);
      return success(await removeTarget(database.db, id, targetId));
    },
  );
}

function addRoutes(app: Api, deps: CampaignsDeps): void {
  const schema = { ...about, response: responses(200, targetsAddedResponseSchema) };
  app.post(
    TARGETS,
    {
      config: writes,
      bodyLimit: MAX_LIST_BYTES,
      schema: { ...schema, summary: "Add up to 1,000 people to call", body: addTargetsSchema },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const { id } = await findCampaign(deps.database.db, "calls", orgId, request.params.campaignId);
      return success(await addTargets({ orgId, campaignId: id }, request.body, deps));
    },
  );
  app.post(
    `${TARGETS}/import`,
    {
      config: writes,
      bodyLimit: MAX_LIST_BYTES,
      schema: { ...schema, summary: "Add the people of a CSV file", body: importTargetsSchema },
    },
    async (request) => {
      const { orgId } = actorOf(request);
      const { id } = await findCampaign(deps.database.db, "calls", orgId, request.params.campaignId);
      const { csv, mapping } = request.body;
      const rows = rowsOfTable(readCsv(csv));
      return success(await addTargets({ orgId, campaignId: id }, { rows, mapping }, deps));
    },
  );
}
