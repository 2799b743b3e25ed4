import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configReference } from "@parley/shared/config/config.ts";
import { speechSettings } from "@parley/shared/contracts/speech-vendors.ts";

/**
 * Puts the examples and the configuration table into the pages that show them, from the files they come from, and the speech
 * vendors' variables into .env.example and docker-compose.yml. With
 * `--check` it changes nothing and fails when a page is behind. Usage: npx node scripts/update-docs.ts
 */
const ROOT = join(import.meta.dirname, "..");

/** The pages with a part that is made. */
export const pages = (): string[] => ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT })].sort();

/** The files of an installation with a part that is made. */
export const installation = (): string[] => [".env.example", "docker-compose.yml"];

/** A page with every marked part made again. */
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
      /^( *)(# speech vendors: .*)\n[\s\S]*?^ *# end of speech vendors$/m,
      (_all, indent: string, begin: string) =>
        [begin, ...vendorLines(indent !== ""), "# end of speech vendors"]
          .map((line) => indent + line)
          .join("\n"),
    );
}

/** What is set where a process is told its variables, or what an operator fills in. */
function vendorLines(isCompose: boolean): string[] {
  return speechSettings().flatMap(({ setting: { variable, about } }) =>
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
