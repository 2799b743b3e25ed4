import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configReference } from "@parley/shared/config/config.ts";
import { PHONE_CARRIERS, type PhoneCarrier } from "@parley/shared/contracts/phone-carriers.ts";
import { speechSettings } from "@parley/shared/contracts/speech-vendors.ts";

/**
 * Copies examples and the configuration table from their sources into the pages that show them, and the speech
 * vendors' and carriers' variables into .env.example and docker-compose.yml. With `--check`, changes nothing and fails
 * when a page is outdated. Usage: npx node scripts/update-docs.ts
 */
const ROOT = join(import.meta.dirname, "..");

/** Pages with generated parts. */
export const pages = (): string[] => ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT })].sort();

/** Installation files with generated parts. */
export const installation = (): string[] => [".env.example", "docker-compose.yml"];

/** Regenerates every marked part of a page. */
export function updated(page: string): string {
  const snippet = (_all: string, path: string): string =>
    `<!-- file: ${path} -->\n\`\`\`ts\n${readFileSync(join(ROOT, path), "utf8").trimEnd()}\n\`\`\`\n<!-- end -->`;
  return page
    .replace(/<!-- file: (\S+) -->\n[\s\S]*?<!-- end -->/g, snippet)
    .replace(
      /<!-- configuration -->\n[\s\S]*?<!-- end -->/,
      () => `<!-- configuration -->\n${table()}\n<!-- end -->`,
    )
    .replace(
      /<!-- carriers: (transfers|credentials) -->\n[\s\S]*?<!-- end -->/g,
      (_all, which: keyof typeof CARRIER_TABLES) =>
        `<!-- carriers: ${which} -->\n${CARRIER_TABLES[which]()}\n<!-- end -->`,
    )
    .replace(
      /^( *)(# (speech vendors|carriers): .*)\n[\s\S]*?^ *# end of \3$/gm,
      (_all, indent: string, begin: string, of: keyof typeof VARIABLES) =>
        [begin, ...linesOf(VARIABLES[of](), indent !== ""), `# end of ${of}`]
          .map((line) => indent + line)
          .join("\n"),
    );
}

type Variable = { readonly variable: string; readonly about: string };

const VARIABLES = {
  "speech vendors": (): Variable[] => speechSettings().map(({ setting }) => setting),
  carriers: (): Variable[] => Object.values(PHONE_CARRIERS).map(({ api }) => api),
};

const CARRIER_TABLES = {
  transfers: (): string =>
    tableOf(
      ["carrier", "blind", "warm"],
      Object.entries(PHONE_CARRIERS).map(
        ([
          id,
          {
            transfers: { blind, warm },
          },
        ]) => [`\`${id}\``, blind, warm],
      ),
    ),
  credentials: (): string =>
    tableOf(
      ["carrier", "`credentials`"],
      Object.entries<PhoneCarrier>(PHONE_CARRIERS).map(([id, { credentials }]) => [
        `\`${id}\``,
        Object.entries(credentials.shape).map(credentialText).join(", "),
      ]),
    ),
};

function credentialText([name, { description }]: [string, { description?: string | undefined }]): string {
  return description === undefined ? `\`${name}\`` : `\`${name}\` (${description})`;
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [row(heads), `|${"---|".repeat(heads.length)}`, ...rows.map(row)].join("\n");
}

/** Lines that pass variables to a process (Compose), or that an operator fills in (.env). */
function linesOf(variables: readonly Variable[], isCompose: boolean): string[] {
  return variables.flatMap(({ variable, about }) =>
    isCompose ? `${variable}: \${${variable}:-}` : [`# ${about}`, `${variable}=`],
  );
}

function table(): string {
  const rows = configReference().map(
    ({ name, fallback, description }) =>
      `| \`${name}\` | ${fallback === "" ? "" : `\`${fallback}\``} | ${description} |`,
  );
  return ["| variable | default | what it is |", "|---|---|---|", ...rows].join("\n");
}

if (process.argv[1] === import.meta.filename) {
  for (const page of [...pages(), ...installation()]) {
    const path = join(ROOT, page);
    const before = readFileSync(path, "utf8");
    const after = updated(before);
    if (before === after) continue;
    if (process.argv.includes("--check")) process.exitCode = 1;
    else writeFileSync(path, after);
  }
}
