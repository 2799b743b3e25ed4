import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";

/** `/api/orgs/{orgId}/apps`: what is published, what is installed, and what an installed app may do. */

const timestamp = z.iso.datetime();
const version = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, "must be three numbers, as 1.4.0");
const scope = z.string().min(1).max(320);

export const appParamsSchema = orgParamsSchema.extend({ appId: z.string().min(1).max(64) });
export const appVersionParamsSchema = appParamsSchema.extend({ version });
export const appKeyParamsSchema = appParamsSchema.extend({ keyId: z.string().min(1).max(64) });

/** What publish checks found; `error` keeps a version from being published. */
export const appProblemSchema = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});
export type AppProblem = z.infer<typeof appProblemSchema>;

/** A scope, and what it lets the app do, in words. */
export const appScopeSchema = z.object({ scope, words: z.string() });

/** Of an installed app: what pages of the dashboard draw it by, as its manifest says it. */
const appUiSchema = z.object({
  pages: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      icon: z.string(),
      menu: z.boolean(),
      group: z.string().nullable(),
    }),
  ),
  extensions: z.array(
    z.object({ slot: z.string(), pageId: z.string(), title: z.string(), icon: z.string() }),
  ),
  contributions: z.array(
    z.object({
      kind: z.string(),
      surface: z.string(),
      id: z.string(),
      label: z.string(),
      pageId: z.string().nullable(),
      modal: z.boolean(),
      align: z.enum(["left", "right"]).nullable(),
    }),
  ),
  /** The dev preview loads a stylesheet only when there is one. */
  hasStyles: z.boolean(),
});
export type AppUi = z.infer<typeof appUiSchema>;

const appInstallSummarySchema = z.object({
  /** The one that runs here. */
  version,
  /** The active version asks for more than was agreed to; the one that runs stays until somebody agrees. */
  needsConsent: z.boolean(),
  installedAt: timestamp,
  ui: appUiSchema,
});

export const appSchema = z.object({
  id: z.string(),
  /** As its manifest names it. */
  manifestId: z.string(),
  name: z.string(),
  description: z.string(),
  /** Published by this organization. */
  own: z.boolean(),
  /** Every organization may install it. */
  listed: z.boolean(),
  activeVersion: version.nullable(),
  /** Null where it is not installed. */
  install: appInstallSummarySchema.nullable(),
});
export type AppSummary = z.infer<typeof appSchema>;
/** `installed=true`: only those that run here, as the dashboard asks on every page. */
export const listAppsQuerySchema = z.object({ installed: z.enum(["true", "false"]).default("false") });
export const appsResponseSchema = wrapped(z.object({ apps: z.array(appSchema), total: z.int() }));

export const appVersionSchema = z.object({
  version,
  active: z.boolean(),
  /** Nobody may run it any more. */
  withdrawnAt: timestamp.nullable(),
  scopes: z.array(appScopeSchema),
  problems: z.array(appProblemSchema),
  sizeBytes: z.int(),
  createdBy: z.string(),
  createdAt: timestamp,
});
export type AppVersion = z.infer<typeof appVersionSchema>;
/** Versions are for the organization that publishes it; of another's app there is the active one. */
export const appDetailSchema = appSchema.extend({ versions: z.array(appVersionSchema) });
export const appResponseSchema = wrapped(appDetailSchema);

export const publishAppQuerySchema = z.object({
  /** Makes it the active version at once. */
  activate: z.enum(["true", "false"]).optional(),
});
export const publishedAppResponseSchema = wrapped(z.object({ app: appSchema, version: appVersionSchema }));
export const appVersionResponseSchema = wrapped(appVersionSchema);

export const appSettingSchema = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(["text", "boolean", "secret"]),
  required: z.boolean(),
  /** Null: not set; always so for a secret. */
  value: z.union([z.string(), z.boolean()]).nullable(),
  /** It has a value; all that is told of a secret. */
  isSet: z.boolean(),
});
export type AppSetting = z.infer<typeof appSettingSchema>;

export const appInstallSchema = z.object({
  appId: z.string(),
  version,
  /** What was agreed to. */
  scopes: z.array(appScopeSchema),
  settings: z.array(appSettingSchema),
  /** Required settings without a value. */
  missingSettings: z.array(z.string()),
  /** What the active version asks for beyond it; empty: nothing. */
  wanted: z.array(appScopeSchema),
  needsConsent: z.boolean(),
  installedBy: z.string(),
  installedAt: timestamp,
});
export type AppInstall = z.infer<typeof appInstallSchema>;
export const appInstallResponseSchema = wrapped(appInstallSchema);

/** Agrees to exactly these scopes of exactly this version, as they were shown. */
export const installAppSchema = z.strictObject({ version, scopes: z.array(scope).max(100) });
export const uninstalledAppResponseSchema = wrapped(
  z.object({ appId: z.string(), uninstalled: z.literal(true) }),
);

/** Null takes a value away. A secret is a text that is never shown again. */
export const changeAppSettingsSchema = z.strictObject({
  settings: z.record(z.string().min(1).max(64), z.union([z.string().max(8_000), z.boolean(), z.null()])),
});

export const appKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  lastFour: z.string(),
  createdBy: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});
export type AppKey = z.infer<typeof appKeySchema>;
export const createAppKeySchema = z.strictObject({ name: z.string().trim().min(1).max(128) });
export const appKeysResponseSchema = wrapped(z.object({ keys: z.array(appKeySchema), total: z.int() }));
/** The secret is shown here and never again. */
export const appKeyCreatedResponseSchema = wrapped(z.object({ key: appKeySchema, secret: z.string() }));
export const appKeyResponseSchema = wrapped(z.object({ key: appKeySchema }));

/** A page of an app is about to be shown: what its frame begins with, and the token by which the host brings its calls. */
export const openFrameSchema = z.strictObject({ pageId: z.string().min(1).max(64) });
export const frameSchema = z.object({
  frameId: z.string(),
  /** For the host only, as `x-app-frame`; a frame never has it. */
  token: z.string(),
  expiresAt: timestamp,
  version,
  scopes: z.array(z.string()),
  page: z.object({ id: z.string(), title: z.string() }),
  user: z.object({
    id: z.string(),
    role: z.string(),
    permissions: z.array(z.string()),
    name: z.string().optional(),
    email: z.string().optional(),
  }),
  /** Texts and booleans; a secret is never among them. */
  settings: z.record(z.string(), z.union([z.string(), z.boolean()])),
  /** Where its files are within the bundle. */
  bundle: z.object({ entry: z.string(), styles: z.string().nullable() }),
});
export type AppFrame = z.infer<typeof frameSchema>;
export const frameResponseSchema = wrapped(frameSchema);
