import { z } from "zod";
import { method, needs, scopeOf } from "./define.ts";
import { CONFIG_GROUPS, type ConfigGroup } from "./scopes.ts";
import { idSchema, jsonSchema } from "./values.ts";

const kindSchema = z.enum(["single", "flow"]);

/** How the public can reach an agent. */
export const publicLinkSchema = z.object({
  isPublic: z.boolean(),
  slug: z.string().nullable(),
  publicUrl: z.string().nullable(),
  embedSnippet: z.string().nullable(),
});
export type PublicLink = z.infer<typeof publicLinkSchema>;

/** An agent's settings by group, without secrets. */
export const agentConfigSchema = z.partialRecord(
  z.enum(CONFIG_GROUPS),
  z.record(z.string().max(64), jsonSchema),
);
export type AgentConfig = z.infer<typeof agentConfigSchema>;

const writesGroups = scopeOf("agents:config:write:<group>", ({ config }: { config: AgentConfig }) =>
  (Object.keys(config) as ConfigGroup[]).map((group) => `agents:config:write:${group}`),
);

export const AGENT_METHODS = [
  method("agents.list", {
    about: "Lists the organization's agents.",
    scope: needs("agents:read"),
    gate: "canViewActivity",
    params: {},
    result: z.array(z.object({ id: z.string(), name: z.string() })),
    empty: [],
  }),
  method("agents.createFromTemplate", {
    about:
      "Creates an agent from a template of the manifest, and opens it in the builder unless `open` is false.",
    scope: needs("agents:read"),
    gate: "canCommunicate",
    writes: true,
    params: { templateId: idSchema, opts: z.strictObject({ open: z.boolean().optional() }).optional() },
    result: z.object({ agentId: z.string(), kind: kindSchema }),
    hostEffect: "open_agent",
  }),
  method("agents.createTeamFromTemplate", {
    about: "Creates the agents of a team template, and opens the one that answers first.",
    scope: needs("agents:read"),
    gate: "canCommunicate",
    writes: true,
    params: { teamId: idSchema },
    result: z.object({
      teamId: z.string(),
      entryAgentId: z.string().nullable(),
      agents: z.array(z.object({ ref: z.string(), agentId: z.string().nullable(), kind: kindSchema })),
    }),
    hostEffect: "open_agent",
  }),
  method("agents.publicLink", {
    about: "Reads how the public may reach an agent; changes nothing.",
    scope: needs("agents:read"),
    gate: "canViewActivity",
    params: { agentId: idSchema },
    result: publicLinkSchema,
    empty: { isPublic: false, slug: null, publicUrl: null, embedSnippet: null },
  }),
  method("agents.setPublic", {
    about:
      "Makes an agent public, or private with false; earlier links live again when it is made public again.",
    scope: needs("agents:write"),
    gate: "canManageSettings",
    writes: true,
    params: { agentId: idSchema, isPublic: z.boolean().optional() },
    result: publicLinkSchema,
  }),
  method("agents.getConfig", {
    about: "Reads how an agent is set up, by group: prompt, model, voice, behavior, flow.",
    scope: needs("agents:config:read"),
    gate: "canViewActivity",
    params: { agentId: idSchema },
    result: z.object({ agentId: z.string(), kind: kindSchema, config: agentConfigSchema }),
  }),
  method("agents.updateConfig", {
    about: "Changes settings of an agent; each group that is touched needs its own scope.",
    scope: writesGroups,
    gate: "canCommunicate",
    writes: true,
    params: {
      agentId: idSchema,
      config: agentConfigSchema.refine((config) => Object.keys(config).length > 0, {
        error: "must have at least one group",
      }),
    },
    result: z.object({ agentId: z.string(), kind: kindSchema, config: agentConfigSchema }),
  }),
] as const;
