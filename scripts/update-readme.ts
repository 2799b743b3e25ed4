import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configReference } from "@parley/shared/config/config.ts";

/**
 * Puts the examples and the configuration table into the README, from the files they come from. With
 * `--check` it changes nothing and fails when the README is behind. Usage: npx node scripts/update-readme.ts
 */
const ROOT = join(import.meta.dirname, "..");

/** The README with every marked part made anew. */
export function updated(readme: string): string {
  const snippet = (_all: string, path: string): string =>
    `<!-- file: ${path} -->\n\`\`\`ts\n${readFileSync(join(ROOT, path), "utf8").trimEnd()}\n\`\`\`\n<!-- end -->`;
  return readme
    .replace(/<!-- file: (\S+) -->\n[\s\S]*?<!-- end -->/g, snippet)
    .replace(
      /<!-- configuration -->\n[\s\S]*?<!-- end -->/,
      `<!-- configuration -->\n${table()}\n<!-- end -->`,
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
  const path = join(ROOT, "README.md");
  const before = readFileSync(path, "utf8");
  const after = updated(before);
  if (process.argv.includes("--check")) process.exitCode = before === after ? 0 : 1;
  else writeFileSync(path, after);
}
