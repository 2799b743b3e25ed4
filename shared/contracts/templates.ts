import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";

/** `/api/orgs/{orgId}/templates`: agents and teams to start from. */

/** `flow` is edited in the builder, `single` by its settings. */
const agentKind = z.enum(["single", "flow"]);

const common = {
  id: z.string(),
  name: z.string(),
  /** One sentence about what the template does. */
  description: z.string(),
  /** Required connections, as named in the catalog of connectors: `order.lookup`. */
  requires: z.array(z.string()),
};

export const templatesResponseSchema = wrapped(
  z.object({
    agents: z.array(z.object({ ...common, kind: agentKind })),
    teams: z.array(
      z.object({
        ...common,
        agents: z.array(z.object({ ref: z.string(), name: z.string(), kind: agentKind })),
      }),
    ),
  }),
);
export type TemplateList = z.infer<typeof templatesResponseSchema>["data"];

const templateId = z.string().min(1).max(64);
export const templateParamsSchema = orgParamsSchema.extend({ templateId });
export const teamTemplateParamsSchema = orgParamsSchema.extend({ teamId: templateId });

export const createFromTemplateSchema = z.strictObject({
  /** Absent: the template's own name. */
  name: z.string().trim().min(1).max(128).optional(),
});

export const createdFromTemplateResponseSchema = wrapped(z.object({ agentId: z.string(), kind: agentKind }));
export const createdTeamResponseSchema = wrapped(
  z.object({
    teamId: z.string(),
    /** The agent that answers first. */
    entryAgentId: z.string().nullable(),
    agents: z.array(z.object({ ref: z.string(), agentId: z.string().nullable(), kind: agentKind })),
  }),
);
export type CreatedTeam = z.infer<typeof createdTeamResponseSchema>["data"];
