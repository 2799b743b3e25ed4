import { z } from "zod";
import { method, needs } from "./define.ts";
import { MAX_CAMPAIGN_TARGETS } from "./limits.ts";
import { idSchema, jsonSchema } from "./values.ts";

const campaignSchema = z.object({ id: z.string(), name: z.string(), status: z.string() });

export const CAMPAIGN_METHODS = [
  method("campaigns.addTargets", {
    about: "Adds up to 1,000 people to call to a campaign, and shows them in it.",
    scope: needs("campaigns:write"),
    gate: "canCommunicate",
    writes: true,
    params: {
      campaignId: idSchema,
      rows: z
        .array(z.record(z.string().min(1).max(64), jsonSchema))
        .min(1)
        .max(MAX_CAMPAIGN_TARGETS),
    },
    result: z.object({ added: z.int().min(0) }),
    hostEffect: "refresh_campaign",
  }),
  method("campaigns.get", {
    about: "Reads a campaign.",
    scope: needs("campaigns:write"),
    gate: "canViewActivity",
    params: { campaignId: idSchema },
    result: campaignSchema.nullable(),
    empty: null,
  }),
  method("campaigns.list", {
    about: "Lists campaigns.",
    scope: needs("campaigns:write"),
    gate: "canViewActivity",
    params: {},
    result: z.array(campaignSchema),
    empty: [],
  }),
] as const;
