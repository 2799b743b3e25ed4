import { z } from "zod";
import { fieldSchema, objectTypeSchema, orderSchema, queryOptsSchema, querySchema } from "../methods/data.ts";
import { SCOPE_HOST, scopeSchema } from "../methods/scopes.ts";
import { CONTRIBUTION_KINDS, CONTRIBUTION_SURFACES, SLOTS } from "./surfaces.ts";

export const MANIFEST_FILE = "platform.app.json";

const key = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    "must begin with a letter and have up to 64 letters, digits, _ and -",
  );
const label = z.string().trim().min(1).max(60);
/** An unknown name is drawn as `box`. */
const iconName = z.string().max(200);

/** Path of a file in the bundle. */
const bundlePath = z
  .string()
  .max(200)
  .regex(
    /^(?!.*(^|\/)\.{1,2}(\/|$))[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/,
    "must be the path of a file in the bundle",
  );

export const pageSchema = z.strictObject({
  id: key,
  title: label,
  icon: iconName.optional(),
  /** Listed in the sidebar; otherwise a slot, a contribution or the app itself leads to the page. */
  menu: z.boolean().optional(),
  /** The sidebar heading above the page. */
  group: label.optional(),
});

const extensionSchema = z
  .strictObject({
    slot: z.enum(SLOTS),
    page_id: key.optional(),
    /** Alias of `page_id`, which is preferred. */
    pageId: key.optional(),
    title: label,
    icon: iconName.optional(),
  })
  .refine((extension) => extension.page_id !== undefined || extension.pageId !== undefined, {
    path: ["page_id"],
    error: "is required",
  });

const contributionSchema = z.strictObject({
  kind: z.enum(CONTRIBUTION_KINDS),
  surface: z.enum(CONTRIBUTION_SURFACES),
  /** A contribution with another id is another contribution. */
  id: key,
  label,
  pageId: key.optional(),
  /** Opens the page as a modal. */
  modal: z.boolean().optional(),
  align: z.enum(["left", "right"]).optional(),
});

const uiSchema = z.strictObject({
  /** The script that mounts the app. */
  entry: bundlePath.regex(/\.js$/, "must be a .js file"),
  styles: bundlePath.regex(/\.css$/, "must be a .css file").optional(),
  pages: z.array(pageSchema).min(1).max(40),
  extensions: z.array(extensionSchema).max(40).optional(),
  contributions: z.array(contributionSchema).max(40).optional(),
});

const settingSchema = z.strictObject({
  key,
  label,
  type: z.enum(["text", "boolean", "secret"]),
  required: z.boolean().optional(),
  default: z.union([z.string().max(2_000), z.boolean()]).optional(),
  /** Secrets only: hosts `http.fetch` may send the secret to; without them it is sent nowhere. */
  hosts: z.array(z.string().regex(SCOPE_HOST, "must be a host name")).max(20).optional(),
});

const objectSchema = z.strictObject({
  /** Records of the type support search by words. */
  semantic: z.boolean().optional(),
  /** Named queries, for `view`. */
  views: z
    .record(
      key,
      z.strictObject({
        query: querySchema.optional(),
        orderBy: orderSchema.optional(),
        limit: queryOptsSchema.shape.limit,
      }),
    )
    .optional(),
  /** Fields that hold a record's id, with the record's type: what `expand` may name. */
  references: z.record(fieldSchema, objectTypeSchema).optional(),
});

/** An agent of the app, created by `agents.createFromTemplate`. `config` takes what `POST /api/agents` takes. */
const agentTemplateSchema = z.strictObject({
  id: key,
  name: label,
  kind: z.enum(["single", "flow"]).optional(),
  config: z.record(z.string(), z.json()),
});

const teamTemplateSchema = z.strictObject({
  id: key,
  /** Ids of agent templates. */
  agents: z.array(key).min(1).max(20),
  /** The agent that answers first. */
  entry: key.optional(),
});

/** Schema of `platform.app.json`. `manifestProblems` checks references within the manifest. */
export const manifestSchema = z.strictObject({
  $schema: z.string().max(500).optional(),
  /** Stays the same in all versions. */
  id: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{1,48}[a-z0-9]$/,
      "must have 3 to 50 small letters, digits and dashes, and begin with a letter",
    ),
  name: label,
  /** Higher than the last published one, such as 1.4.0. */
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, "must be three numbers, as 1.4.0"),
  description: z.string().trim().max(500).optional(),
  /** What the app may do; whoever installs it agrees to each. */
  scopes: z.array(scopeSchema).max(100),
  /** Special properties of record types; a type need not be listed. */
  objects: z.record(objectTypeSchema, objectSchema).optional(),
  settings: z.array(settingSchema).max(50).optional(),
  agents: z.array(agentTemplateSchema).max(20).optional(),
  teams: z.array(teamTemplateSchema).max(10).optional(),
  ui: uiSchema,
});
export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestSetting = NonNullable<Manifest["settings"]>[number];

/** The manifest's JSON Schema, for editors. */
export function manifestJsonSchema(): object {
  return z.toJSONSchema(manifestSchema, { io: "input", unrepresentable: "any" });
}
