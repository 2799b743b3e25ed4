import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";

/**
 * `/api/v1/integrations` (flat) and `/api/orgs/{orgId}/integrations` (wrapped): vendor accounts in which agents act.
 */

/** Shown in place of a stored secret. */
export const SECRET_MASK = "••••••••";

const AUTH_KINDS = ["api_key", "basic", "builtin", "oauth2"] as const;
export type AuthKind = (typeof AUTH_KINDS)[number];

const credentialSchema = z.object({
  key: z.string(),
  label: z.string(),
  /** Required in every form of the credentials. */
  required: z.boolean(),
  /** Write-only: answers contain a mask instead. */
  secret: z.boolean(),
  help: z.string(),
});
const settingSchema = z.object({
  key: z.string(),
  label: z.string(),
  required: z.boolean(),
  placeholder: z.string(),
  help: z.string(),
  /** Accepts several lines of text. */
  multiline: z.boolean(),
});

export const integrationProviderSchema = z.object({
  providerId: z.string(),
  name: z.string(),
  category: z.string(),
  description: z.string(),
  authKind: z.enum(AUTH_KINDS),
  docsUrl: z.string(),
  connect: z.object({
    /**
     * Whether people may sign in at the vendor and grant access instead: the connection is created without
     * credentials.
     */
    consent: z.boolean(),
    credentials: z.array(credentialSchema),
    /** Any one of these sets of keys is enough. */
    forms: z.array(
      z.object({
        name: z.string(),
        keys: z.array(z.string()),
        /** The `keys` that this form requires. */
        required: z.array(z.string()),
      }),
    ),
    settings: z.array(settingSchema),
  }),
  capabilities: z.array(z.object({ capability: z.string(), name: z.string(), description: z.string() })),
});
export type IntegrationProvider = z.infer<typeof integrationProviderSchema>;

/** Something agents can do, whichever connector serves it. */
const capabilityEntrySchema = z.object({
  capability: z.string(),
  name: z.string(),
  description: z.string(),
  /** The capability changes something: the caller is asked first, unless the agent says otherwise. */
  isWrite: z.boolean(),
  /** JSON Schema of the arguments that the model fills in. */
  arguments: z.record(z.string(), z.unknown()),
  /** The connectors that serve the capability. */
  providerIds: z.array(z.string()),
});
export type CapabilityEntry = z.infer<typeof capabilityEntrySchema>;

const values = z.record(z.string().max(64), z.string().max(16_384));

export const integrationConnectionSchema = z.object({
  id: z.string(),
  providerId: z.string(),
  label: z.string(),
  status: z.enum(["active", "error", "disconnected"]),
  /** Secrets are masked. */
  credentials: z.record(z.string(), z.string()),
  /** Includes `account`, the account's name at the vendor, once it was verified. */
  settings: z.record(z.string(), z.string()),
  capabilities: z.array(z.string()),
  /** What to do about the error, while `status` is `error`. */
  lastError: z.string().optional(),
  /** When the vendor was last asked; null: never. */
  verifiedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type IntegrationConnection = z.infer<typeof integrationConnectionSchema>;

/** A user of a connection. */
const connectionUseSchema = z.object({
  agentId: z.string(),
  name: z.string(),
  /** False: the agent names no connection and gets the newest active one that can do what it wants. */
  isPinned: z.boolean(),
});
export type ConnectionUse = z.infer<typeof connectionUseSchema>;

/** Additional fields shown to people. */
export const orgConnectionSchema = integrationConnectionSchema.extend({
  /** Problems found by the last verification that do not keep the connection from working. */
  warnings: z.array(z.string()),
  usedBy: z.array(connectionUseSchema),
});
export type OrgConnection = z.infer<typeof orgConnectionSchema>;

/** One action performed through a connection. */
const connectionRunSchema = z.object({
  id: z.string(),
  capability: z.string(),
  /** `success`, `abandoned`, or the code of the error. */
  outcome: z.string(),
  /** Milliseconds. */
  tookMs: z.number(),
  /** The call or chat in which it ran; null: someone tried it. */
  sessionId: z.string().nullable(),
  at: z.string(),
});
export type ConnectionRun = z.infer<typeof connectionRunSchema>;

export const verificationSchema = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  /** Problems that do not keep the connection from working. */
  warnings: z.array(z.string()),
});
export type Verification = z.infer<typeof verificationSchema>;

const label = z.string().trim().max(120);

export const createConnectionSchema = z.strictObject({
  providerId: z.string().min(1).max(64),
  label: label.optional(),
  /** Keys as listed in `connect.credentials`. */
  credentials: values.default({}),
  /** Keys as listed in `connect.settings`. */
  settings: values.default({}),
  /** Whether to ask the vendor before answering. */
  verify: z.boolean().default(true),
});
export type CreateConnection = z.infer<typeof createConnectionSchema>;

/** Omitted fields stay unchanged. */
export const updateConnectionSchema = z.strictObject({
  /** Immutable; accepted only with its current value, as it was read. */
  providerId: z.string().optional(),
  label: label.optional(),
  /** The mask keeps the stored secret; an empty text removes an optional one. */
  credentials: values.optional(),
  /** An empty text removes an optional setting. */
  settings: values.optional(),
  verify: z.boolean().default(true),
});
export type UpdateConnection = z.infer<typeof updateConnectionSchema>;

export const connectionResultSchema = z.object({
  connection: integrationConnectionSchema,
  /** Null when the vendor was not asked. */
  verification: verificationSchema.nullable(),
  /** The remaining step; null: none. */
  next: z.object({ action: z.literal("authorize"), method: z.literal("POST"), url: z.string() }).nullable(),
});
export type ConnectionResult = z.infer<typeof connectionResultSchema>;

/** A consent in progress. */
export const authorizationSchema = z.object({
  /** Where people consent in a browser; valid once, for ten minutes. */
  authorizeUrl: z.string(),
  /** Where the browser ends up afterward. */
  returnsTo: z.string(),
  /** The connection's address: `active` once consent was given. */
  pollUrl: z.string(),
});
export type Authorization = z.infer<typeof authorizationSchema>;

export const integrationProvidersSchema = z.object({ providers: z.array(integrationProviderSchema) });
export const integrationConnectionsSchema = z.object({
  connections: z.array(integrationConnectionSchema),
  total: z.int(),
});
export const connectionDeletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });

export const connectionsQuerySchema = z.object({ providerId: z.string().max(64).optional() });
export const providerIdParamsSchema = z.object({ providerId: z.string().min(1).max(64) });
export const connectionIdParamsSchema = z.object({ id: z.string().min(1).max(64) });

export const orgProviderParamsSchema = orgParamsSchema.extend(providerIdParamsSchema.shape);
export const orgConnectionParamsSchema = orgParamsSchema.extend(connectionIdParamsSchema.shape);
export const wrappedCapabilitiesSchema = wrapped(z.object({ capabilities: z.array(capabilityEntrySchema) }));
export const wrappedProvidersSchema = wrapped(integrationProvidersSchema);
export const wrappedProviderSchema = wrapped(integrationProviderSchema);
export const wrappedConnectionsSchema = wrapped(
  z.object({ connections: z.array(orgConnectionSchema), total: z.int() }),
);
export const wrappedConnectionSchema = wrapped(orgConnectionSchema);
export const wrappedConnectionRunsSchema = wrapped(z.object({ runs: z.array(connectionRunSchema) }));
export const wrappedConnectionResultSchema = wrapped(connectionResultSchema);
export const wrappedTestResultSchema = wrapped(verificationSchema);
export const wrappedAuthorizationSchema = wrapped(authorizationSchema);
export const wrappedConnectionDeletedSchema = wrapped(connectionDeletedSchema);
