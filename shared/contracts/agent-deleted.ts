import { z } from "zod";

/** Sent to every gateway when an agent is deleted, so that none keeps any of its data. */
export const agentDeletedSchema = z.object({ orgId: z.string(), agentId: z.string() });

export const AGENT_DELETED_CHANNEL = "agent-deleted";
