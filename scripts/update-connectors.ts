import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CAPABILITIES, type CapabilityId } from "@parley/control-api/integrations/capabilities/all.ts";
import { formsOf } from "@parley/control-api/integrations/connections/input.ts";
import { type Connector, capabilitiesOf } from "@parley/control-api/integrations/connector.ts";

/**
 * Regenerates the index of the folders in control-api/integrations/connectors, and the list in docs/connectors.md.
 * With `--check`, changes nothing and fails when one is outdated. Usage: npx node scripts/update-connectors.ts
 */
const ROOT = join(import.meta.dirname, "..");
const FOLDERS = join(ROOT, "control-api/integrations/connectors");
const INDEX = join(FOLDERS, "index.ts");
/** The formatter's line width. */
const LINE_CHARS = 110;
const PAGE = join(ROOT, "docs/connectors.md");

/** Names of the connectors' folders. */
export function connectorFolders(): string[] {
  return readdirSync(FOLDERS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(FOLDERS, entry.name, "definition.ts")))
    .map(({ name }) => name)
    .sort();
}

/** The up-to-date index. */
export function connectorIndex(): string {
  const names = connectorFolders().map((folder) => ({ folder, name: variableOf(folder) }));
  const imports = names.map(
    ({ folder, name }) => `import { connector as ${name} } from "./${folder}/definition.ts";`,
  );
  const list = names.map(({ name }) => name);
  const line = `export const CONNECTORS: readonly Connector[] = [${list.join(", ")}];`;
  const lines = [
    "export const CONNECTORS: readonly Connector[] = [",
    ...list.map((name) => `  ${name},`),
    "];",
  ];
  return [
    'import type { Connector } from "../connector.ts";',
    ...imports,
    "",
    "/** Every folder beside this file; scripts/update-connectors.ts writes it. */",
    ...(line.length <= LINE_CHARS ? [line] : lines),
    "",
  ].join("\n");
}

/** The page with an up-to-date list. */
export async function connectorPage(page: string): Promise<string> {
  const connectors = await Promise.all(
    connectorFolders().map(async (folder) => {
      const module = (await import(join(FOLDERS, folder, "definition.ts"))) as { connector: Connector };
      return module.connector;
    }),
  );
  const list = `<!-- connectors -->\n${[...connectors.map(section), capabilityTable(connectors)].join("\n\n")}\n<!-- end -->`;
  return page.replace(/<!-- connectors -->\n[\s\S]*?<!-- end -->/, () => list);
}

function section(connector: Connector): string {
  const { id, name, about, docsUrl, settings, authKind, oauth } = connector;
  const connected = authKind !== "oauth2" && oauth ? `${authKind} or by consent` : authKind;
  const fields = formsOf(connector).flatMap((form) =>
    form.fields.map(
      ({ key, label, help, form: of }) =>
        `| credential${of === undefined ? "" : ` (${of})`} | \`${key}\` | ${label}. ${cell(help)} |`,
    ),
  );
  const rows = [
    ...new Set(fields),
    ...settings.map(
      ({ key, label, help, isOptional }) =>
        `| setting${isOptional ? ", optional" : ""} | \`${key}\` | ${label}. ${cell(help)} |`,
    ),
  ];
  const table = rows.length === 0 ? [] : ["", "| what | key | |", "|---|---|---|", ...rows];
  const does = capabilitiesOf(connector)
    .map((capability) => `\`${capability}\``)
    .join(", ");
  return [
    `### <a id="${id}"></a>${name}`,
    "",
    `\`${id}\`, ${connected}. ${about}${docsUrl.startsWith("http") ? ` [Where its credentials are](${docsUrl}).` : ""}`,
    "",
    `Capabilities: ${does}.`,
    ...table,
  ].join("\n");
}

function capabilityTable(connectors: readonly Connector[]): string {
  const rows = (Object.keys(CAPABILITIES) as CapabilityId[]).map((id) => {
    const { name, isWrite } = CAPABILITIES[id];
    const by = connectors.filter((connector) => capabilitiesOf(connector).includes(id));
    return `| \`${id}\` | ${name} | ${isWrite ? "yes" : "no"} | ${by.map((connector) => connector.name).join(", ")} |`;
  });
  return [
    "## Capabilities",
    "",
    "| capability | what it does | writes | by |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function variableOf(folder: string): string {
  return folder.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

if (process.argv[1] === import.meta.filename) {
  const before = {
    index: existsSync(INDEX) ? readFileSync(INDEX, "utf8") : "",
    page: readFileSync(PAGE, "utf8"),
  };
  const after = { index: connectorIndex(), page: await connectorPage(before.page) };
  const isBehind = before.index !== after.index || before.page !== after.page;
  if (isBehind && process.argv.includes("--check")) process.exitCode = 1;
  else if (isBehind) {
    writeFileSync(INDEX, after.index);
    writeFileSync(PAGE, after.page);
  }
}
