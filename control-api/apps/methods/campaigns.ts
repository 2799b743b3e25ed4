import { AppError } from "@parley/shared/errors.ts";
import { findCampaign, listCampaigns } from "../../campaigns/campaigns/campaign-row.ts";
import type { CampaignsDeps } from "../../campaigns/deps.ts";
import { addTargets } from "../../campaigns/targets/add-targets.ts";
import type { Row } from "../../campaigns/targets/read-rows.ts";
import type { Handlers } from "../bridge/handlers.ts";

const KIND = "calls";
const LISTED = 1_000;

/** `campaigns.…`. A row equals a row of a CSV file; the entries of its `variables`, if any, are columns as well. */
export function campaignMethods(deps: Pick<CampaignsDeps, "database" | "clock">): Handlers {
  const { db } = deps.database;
  return {
    "campaigns.addTargets": async ({ campaignId, rows }, { caller: { orgId } }) => {
      // Checked before the rows: a wrong campaign is the first mistake an app makes.
      await findCampaign(db, KIND, orgId, campaignId);
      const { added } = await addTargets(
        { orgId, campaignId },
        { rows: rows.map(withVariables), mapping: {} },
        deps,
      );
      return { added };
    },
    "campaigns.get": async ({ campaignId }, { caller: { orgId } }) => {
      try {
        const { id, name, status } = await findCampaign(db, KIND, orgId, campaignId);
        return { id, name, status };
      } catch (error) {
        if (error instanceof AppError && error.code === "not_found") return null;
        throw error;
      }
    },
    "campaigns.list": async (_, { caller: { orgId } }) => {
      const rows = await listCampaigns(db, { kind: KIND, orgId, limit: LISTED });
      return rows.map(({ id, name, status }) => ({ id, name, status }));
    },
  };
}

function withVariables({ variables, ...columns }: Row): Row {
  if (variables === undefined) return columns;
  if (variables === null || typeof variables !== "object" || Array.isArray(variables))
    return { ...columns, variables };
  return { ...variables, ...columns };
}
