import { z } from "zod";
import { TRANSFER_MODES } from "../transfers.ts";
import { objectOf, type ToolParameters, toolDescription, toolKind, toolName } from "./tool-kind.ts";

const settings = z.object({
  kind: z.literal("transfer"),
  name: toolName.default("transfer"),
  description: toolDescription.default("Transfers the caller to another person."),
  destinations: z
    .array(
      z.object({
        name: z.string().min(1).max(128),
        number: z.e164(),
        mode: z.enum(TRANSFER_MODES).default("blind"),
      }),
    )
    .min(1)
    .max(50),
});
export type TransferTool = z.infer<typeof settings>;

/**
 * Lets the model transfer the caller to one of these targets only; in a warm transfer the target is told first who is
 * coming.
 */
export const transferKind = toolKind({
  settings,
  media: ["voice"],
  reach: "control",
  parameters: ({ destinations }) => parametersOf(destinations),
});

function parametersOf(destinations: TransferTool["destinations"]): ToolParameters {
  const destination = { type: "string", enum: destinations.map(({ name }) => name) };
  const warm = destinations.filter(({ mode }) => mode === "warm").map(({ name }) => name);
  const description = `Told to the person who is called before the caller is put through: who they are and what they want. Needed for: ${warm.join(", ")}.`;
  const whisper = { type: "string", description };
  return objectOf({ destination, ...(warm.length > 0 ? { whisper } : {}) }, ["destination"]);
}
