/**
 * Writes every event of the catalog into docs/webhooks.md, with its fields and a sample, and its type into
 * platform/webhooks/events.ts, which receivers can use without any other Parley code.
 *
 * Usage: node scripts/update-webhooks.ts
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  EVENT_CATALOG,
  EVENT_NAMES,
  type EventName,
  isRaised,
  isSessionEvent,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import {
  about,
  callEvent,
  machineEvent,
  orgEvent,
  sessionEvent,
} from "@parley/shared/contracts/event-catalog/fields.ts";
import { z } from "zod";
import { type FieldRow, fieldsOf, propertiesOf } from "./fields-of-schema.ts";
import { type JsonSchema, typeOfSchema } from "./type-of-schema.ts";

const ROOT = resolve(import.meta.dirname, "..");
const PAGE = join(ROOT, "docs/webhooks.md");
const TYPES = join(ROOT, "platform/webhooks/events.ts");
const BEGIN = "<!-- catalog -->";
const END = "<!-- end -->";

/** The page with the current catalog. */
export function withCatalog(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  return `${before}${BEGIN}\n${[...GROUPS.map(group), ...EVENT_NAMES.map(section)].join("\n")}${after}`;
}

/** Fields common to several events, described once. */
const GROUPS = [
  {
    title: "Fields of every event",
    of: "every event",
    shape: { event: about(z.string(), "the name of the event"), ...orgEvent },
  },
  {
    title: "Fields of events of a session",
    of: "events of a session",
    shape: without(sessionEvent, orgEvent),
  },
  { title: "Fields of a call's leg", of: "a call's leg", shape: without(machineEvent, sessionEvent) },
  { title: "Fields of a call", of: "a call", shape: without(callEvent, machineEvent) },
].map((each) => ({ ...each, schema: jsonSchemaOf(z.object(each.shape)) }));

function group({ title, schema }: (typeof GROUPS)[number]): string {
  return `### ${title}\n\n${fieldsText(fieldsOf(schema))}`;
}

function section(name: EventName): string {
  const { summary, schema, sample } = EVENT_CATALOG[name];
  const scope = isSessionEvent(name) ? "Of a session." : "Of an organization.";
  const coming = isRaised(name) ? "" : " **Not raised yet.**";
  const own = propertiesOf(jsonSchemaOf(schema));
  const groups = GROUPS.filter(({ schema: common }) =>
    Object.keys(common.properties ?? {}).every((field) => Object.hasOwn(own.properties, field)),
  );
  const common = new Map(groups.flatMap(({ schema: { properties = {} } }) => Object.entries(properties)));
  const fields = Object.entries(own.properties).filter(
    ([field, each]) => field !== "event" && JSON.stringify(common.get(field)) !== JSON.stringify(each),
  );
  const rows = fieldsOf({ properties: Object.fromEntries(fields), required: own.required });
  return `### \`${name}\`

${scope} ${summary}${coming}

Has the fields of ${listText(groups.map(({ of }) => of))}${rows.length === 0 ? "." : `, and:\n\n${fieldsText(rows).trimEnd()}`}

<details><summary>Sample</summary>

\`\`\`json
${JSON.stringify(sample, null, 2)}
\`\`\`

</details>
`;
}

/** A table of fields, then one for each field whose values have meanings. */
function fieldsText(rows: readonly FieldRow[]): string {
  const table = rows.map(({ path, type, meaning }) => `| \`${path}\` | ${type} | ${meaning} |`);
  const values = rows.flatMap(({ path, values: known }) => (known ? [valuesText(path, known)] : []));
  return ["| field | type | what it is |\n|---|---|---|", ...table].join("\n").concat("\n", ...values);
}

function valuesText(path: string, { isOpen, meanings }: NonNullable<FieldRow["values"]>): string {
  const rows = Object.entries(meanings).map(([value, meaning]) => `| \`${value}\` | ${meaning} |`);
  const open = isOpen ? "; others may come" : "";
  return `\n| \`${path}\` | means${open} |\n|---|---|\n${rows.join("\n")}\n`;
}

function listText(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function without<S extends Record<string, z.ZodType>>(shape: S, other: object): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).filter(([field]) => !Object.hasOwn(other, field)));
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema) as JsonSchema;
}

/** Common fields are described once, in the guide: here they would be most of the file. */
function withoutCommon(schema: JsonSchema): JsonSchema {
  const common = new Set(GROUPS.flatMap(({ shape }) => Object.keys(shape)));
  const { properties = {} } = schema;
  const described = Object.entries(properties).map(([name, field]): [string, JsonSchema] => [
    name,
    common.has(name) ? { ...field, description: undefined } : field,
  ]);
  return schema.properties ? { ...schema, properties: Object.fromEntries(described) } : schema;
}

/** The current types of all payloads, formatted like the sources. */
export function eventTypes(): string {
  const events = EVENT_NAMES.map((name) => {
    const { summary, schema } = EVENT_CATALOG[name];
    return `/** ${summary} */\n${JSON.stringify(name)}: ${typeOfSchema(withoutCommon(jsonSchemaOf(schema)))};`;
  });
  const text = `/**
 * The payload of each webhook event, by its name. Made from the catalog of events by
 * \`node scripts/update-webhooks.ts\`: change that, not this.
 */
export interface WebhookEvents {\n${events.join("\n")}\n}\n`;
  const biome = join(ROOT, "node_modules/.bin/biome");
  return execFileSync(biome, ["format", `--stdin-file-path=${TYPES}`], { input: text, encoding: "utf8" });
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(PAGE, withCatalog(readFileSync(PAGE, "utf8")));
  writeFileSync(TYPES, eventTypes());
}
