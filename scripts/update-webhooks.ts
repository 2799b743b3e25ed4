/**
 * Puts every event of the catalog into docs/webhooks.md, with its payload, and its type into
 * platform/webhooks/events.ts, which receivers use without anything of ours.
 *
 * Usage: node scripts/update-webhooks.ts
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  EVENT_CATALOG,
  EVENT_NAMES,
  isSessionEvent,
} from "@parley/shared/contracts/event-catalog/catalog.ts";
import { z } from "zod";
import { type JsonSchema, typeOfSchema } from "./type-of-schema.ts";

const ROOT = resolve(import.meta.dirname, "..");
const PAGE = join(ROOT, "docs/webhooks.md");
const TYPES = join(ROOT, "platform/webhooks/events.ts");
const BEGIN = "<!-- catalog -->";
const END = "<!-- end -->";

/** The page with the catalog as it is now. */
export function withCatalog(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  return `${before}${BEGIN}\n${EVENT_NAMES.map(section).join("\n")}${after}`;
}

function section(name: (typeof EVENT_NAMES)[number]): string {
  const { summary, sample } = EVENT_CATALOG[name];
  const scope = isSessionEvent(name) ? "Of a session." : "Of an organization.";
  return `### \`${name}\`\n\n${scope} ${summary}\n\n\`\`\`json\n${JSON.stringify(sample, null, 2)}\n\`\`\`\n`;
}

/** The types of all payloads as they are now, formatted like our sources. */
export function eventTypes(): string {
  const events = EVENT_NAMES.map((name) => {
    const { summary, schema } = EVENT_CATALOG[name];
    return `/** ${summary} */\n${JSON.stringify(name)}: ${typeOfSchema(z.toJSONSchema(schema) as JsonSchema)};`;
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
