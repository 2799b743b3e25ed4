import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";

/** `/api/orgs/{orgId}/apps`: published apps, installed apps, and what an installed app may do. */

const timestamp = z.iso.datetime();
const version = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, "must be three numbers, as 1.4.0");
const scope = z.string().min(1).max(320);

export const appParamsSchema = orgParamsSchema.extend({ appId: z.string().min(1).max(64) });
export const appVersionParamsSchema = appParamsSchema.extend({ version });
export const appKeyParamsSchema = appParamsSchema.extend({ keyId: z.string().min(1).max(64) });

/** A problem found while publishing; an `error` blocks the version. */
export const appProblemSchema = z.object({
  code: z.string(),
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});
export type AppProblem = z.infer<typeof appProblemSchema>;

/** A scope, and a description of what it allows. */
export const appScopeSchema = z.object({ scope, words: z.string() });

/** How the dashboard's pages show an installed app, as declared in its manifest. */
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
  /** The dev preview loads a stylesheet only if there is one. */
  hasStyles: z.boolean(),
});
export type AppUi = z.infer<typeof appUiSchema>;

const appInstallSummarySchema = z.object({
  /** The version that runs here. */
  version,
  /** The active version asks for more scopes than were granted; the running version stays until someone agrees. */
  needsConsent: z.boolean(),
  installedAt: timestamp,
  ui: appUiSchema,
});

export const appSchema = z.object({
  id: z.string(),
  /** The app's id in its manifest. */
  manifestId: z.string(),
  name: z.string(),
  description: z.string(),
  /** True when this organization published the app. */
  own: z.boolean(),
  /** True when every organization may install the app. */
  listed: z.boolean(),
  activeVersion: version.nullable(),
  /** Null where the app is not installed. */
  install: appInstallSummarySchema.nullable(),
});
export type AppSummary = z.infer<typeof appSchema>;
/** `installed=true`: only the organization's installed apps, as the dashboard requests on every page. */
export const listAppsQuerySchema = z.object({ installed: z.enum(["true", "false"]).default("false") });
export const appsResponseSchema = wrapped(z.object({ apps: z.array(appSchema), total: z.int() }));

export const appVersionSchema = z.object({
  version,
  active: z.boolean(),
  /** Set when the version may no longer run. */
  withdrawnAt: timestamp.nullable(),
  scopes: z.array(appScopeSchema),
  problems: z.array(appProblemSchema),
  sizeBytes: z.int(),
  createdBy: z.string(),
  createdAt: timestamp,
});
export type AppVersion = z.infer<typeof appVersionSchema>;
/** All versions for the publishing organization; others see the active one only. */
export const appDetailSchema = appSchema.extend({ versions: z.array(appVersionSchema) });
export const appResponseSchema = wrapped(appDetailSchema);

export const publishAppQuerySchema = z.object({
  /** Activates the version immediately. */
  activate: z.enum(["true", "false"]).optional(),
});
export const publishedAppResponseSchema = wrapped(z.object({ app: appSchema, version: appVersionSchema }));
export const appVersionResponseSchema = wrapped(appVersionSchema);

export const appSettingSchema = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(["text", "boolean", "secret"]),
  required: z.boolean(),
  /** Null when not set, and always for a secret. */
  value: z.union([z.string(), z.boolean()]).nullable(),
  /** Whether the setting has a value; all that is revealed of a secret. */
  isSet: z.boolean(),
});
export type AppSetting = z.infer<typeof appSettingSchema>;

export const appInstallSchema = z.object({
  appId: z.string(),
  version,
  /** The granted scopes. */
  scopes: z.array(appScopeSchema),
  settings: z.array(appSettingSchema),
  /** Required settings without a value. */
  missingSettings: z.array(z.string()),
  /** Scopes that the active version asks for in addition; empty: none. */
  wanted: z.array(appScopeSchema),
  needsConsent: z.boolean(),
  installedBy: z.string(),
  installedAt: timestamp,
});
export type AppInstall = z.infer<typeof appInstallSchema>;
export const appInstallResponseSchema = wrapped(appInstallSchema);

/** Grants exactly these scopes to exactly this version, as they were shown. */
export const installAppSchema = z.strictObject({ version, scopes: z.array(scope).max(100) });
export const uninstalledAppResponseSchema = wrapped(
  z.object({ appId: z.string(), uninstalled: z.literal(true) }),
);

/** Null removes a value. A secret is a text that is never shown again. */
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

/**
 * Opens a page of an app: returns the frame's initial data and the token with which the host makes the frame's calls.
 */
export const openFrameSchema = z.strictObject({
  pageId: z.string().min(1).max(64),
  /** The page's script comes from a development server: only roles that may publish apps. */
  preview: z.boolean().optional(),
});
export const frameSchema = z.object({
  frameId: z.string(),
  /** Sent by the host only, as `x-app-frame`; a frame never sees it. */
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
  /** Texts and booleans; never secrets. */
  settings: z.record(z.string(), z.union([z.string(), z.boolean()])),
  /** Paths of the entry file and the styles within the bundle. */
  bundle: z.object({ entry: z.string(), styles: z.string().nullable() }),
});
export type AppFrame = z.infer<typeof frameSchema>;
export const frameResponseSchema = wrapped(frameSchema);
