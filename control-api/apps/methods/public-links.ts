import type { PublicLink } from "@parley/platform/methods/agents.ts";
import type { PublicAgent } from "@parley/shared/contracts/public-agents.ts";
import {
  changePublicAgent,
  type PublicAgentDeps,
  readPublicAgent,
} from "../../agents/public/public-agents.ts";
import type { Handlers } from "../bridge/handlers.ts";

/** `agents.publicLink` and `agents.setPublic`. */
export function publicLinkMethods(deps: PublicAgentDeps): Handlers {
  return {
    "agents.publicLink": async ({ agentId }, { caller: { orgId } }) =>
      linkOf(await readPublicAgent({ orgId, agentId }, deps)),
    "agents.setPublic": async ({ agentId, isPublic = true }, { caller: { orgId, userId }, client }) => {
      const by = { orgId, actor: { kind: "user", id: userId }, client } as const;
      return linkOf(await changePublicAgent(agentId, { isPublic }, by, deps));
    },
  };
}

/** The part of a public agent that apps may see. */
export function linkOf({ isPublic, slug, publicUrl, embedSnippet }: PublicAgent): PublicLink {
  return { isPublic, slug, publicUrl, embedSnippet };
}
