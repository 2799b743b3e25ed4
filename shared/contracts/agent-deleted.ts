import { z } from "zod";

/** Told to every gateway when an agent is deleted, so that none keeps anything of it. */
export const agentDeletedSchema = z.object({ orgId: z.string(), agentId: z.string() });

export const AGENT_DELETED_CHANNEL = "agent-deleted";
