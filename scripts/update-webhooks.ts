/**
 * Puts every event of the catalog into docs/webhooks.md, with its payload.
 *
 * Usage: node scripts/update-webhooks.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  EVENT_CATALOG,
  EVENT_NAMES,
  isSessionEvent,
} from "@parley/shared/contracts/event-catalog/catalog.ts";

const PAGE = join(resolve(import.meta.dirname, ".."), "docs/webhooks.md");
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

if (process.argv[1] === import.meta.filename) writeFileSync(PAGE, withCatalog(readFileSync(PAGE, "utf8")));
