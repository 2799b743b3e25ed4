import { z } from "zod";
import { method } from "./define.ts";
import { idSchema, jsonSchema } from "./values.ts";

const capabilitySchema = z
  .string()
  .max(128)
  .regex(/^[a-z][a-z0-9_]*([.:-][a-z0-9_]+)*$/, "must be the name of a capability");
const settingsSchema = z.record(z.string().max(64), jsonSchema);

export const CONNECTOR_METHODS = [
  method("connector.connections", {
    about: "Lists the organization's connected accounts that can serve a capability.",
    scope: { kind: "server", shown: "connection:<provider> of each account shown" },
    gate: "canViewActivity",
    params: { capability: capabilitySchema },
    result: z.object({
      connections: z.array(
        z.object({
          id: z.string(),
          provider: z.string(),
          label: z.string(),
          status: z.string(),
          account: z.string(),
        }),
      ),
    }),
    empty: { connections: [] },
  }),
  method("connector.invoke", {
    about: "Does something in a connected account: the one named, or else the active one that changed last.",
    scope: { kind: "server", shown: "connection:<provider> of every provider that could serve it" },
    gate: "canCommunicate",
    writes: true,
    params: {
      capability: capabilitySchema,
      args: z.record(z.string().max(128), jsonSchema),
      opts: z
        .strictObject({
          /** Settings of the action, flat or under `settings`. */
          binding: z.union([z.strictObject({ settings: settingsSchema }), settingsSchema]).optional(),
          connectionId: idSchema.optional(),
        })
        .optional(),
    },
    result: z.object({ result: jsonSchema }),
    limits: { timeoutMs: 30_000, perMinute: 300, inFlight: 8 },
  }),
] as const;
