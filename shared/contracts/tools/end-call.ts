import { z } from "zod";
import { objectOf, toolDescription, toolKind, toolName } from "./tool-kind.ts";

/** Lets the model hang up once its last words were played. */
export const endCallKind = toolKind({
  settings: z.object({
    kind: z.literal("end_call"),
    name: toolName.default("end_call"),
    description: toolDescription.default("Ends the call. Say goodbye with it."),
  }),
  media: ["voice"],
  reach: "control",
  parameters: () =>
    objectOf({ farewell: { type: "string", description: "Said before the line is closed." } }, []),
});
