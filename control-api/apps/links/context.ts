import { BridgeError } from "@parley/platform/wire/errors.ts";
import { initWebCallSchema } from "@parley/shared/contracts/sessions.ts";
import { z } from "zod";

/** How a visitor may talk to the agent, by the link's action. */
export const LINK_ACTIONS: Readonly<Record<string, readonly ("call" | "chat")[]>> = {
  agent_call: ["call", "chat"],
  agent_chat: ["chat"],
};

const contextSchema = z.object({
  slug: z.string().min(1).max(100).optional(),
  /** What the agent knows of this conversation. */
  variables: initWebCallSchema.shape.variables,
});

/** The part of a link's context the server acts on; the rest is the app's. Throws `BridgeError` invalid_arguments. */
export function contextOf(context: Readonly<Record<string, unknown>>): z.infer<typeof contextSchema> {
  const parsed = contextSchema.safeParse(context);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new BridgeError(
    "invalid_arguments",
    `context.${where} does not fit: variables are texts by their name.`,
  );
}
