import { z } from "zod";
import { objectOf, toolDescription, toolKind, toolName } from "./tool-kind.ts";

/** Lets the model press keys. */
export const playKeysKind = toolKind({
  settings: z.object({
    kind: z.literal("play_keys"),
    name: toolName.default("play_keys"),
    description: toolDescription.default("Presses keys of the telephone, for example in a menu."),
  }),
  media: ["voice"],
  reach: "control",
  parameters: () =>
    objectOf({ digits: { type: "string", description: "0-9, #, *, A-D; w and , wait." } }, ["digits"]),
});
