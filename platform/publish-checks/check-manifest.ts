import { MANIFEST_FILE, type Manifest, manifestSchema } from "../manifest/manifest.ts";
import { RENDERED_KINDS } from "../manifest/surfaces.ts";
import { isGranted } from "../methods/scopes.ts";
import { type Fault, faultsOf, plainWords } from "../wire/plain-words.ts";
import { unstorableIn } from "./check-storable.ts";
import { wordProblems } from "./check-words.ts";
import { placeIn } from "./json-place.ts";
import { type Place, type Problem, type ProblemCode, problem } from "./problem.ts";

type Path = readonly (string | number)[];

export interface CheckedManifest {
  /** Undefined when the manifest is unreadable. */
  readonly manifest: Manifest | undefined;
  readonly problems: readonly Problem[];
  /** Where a value of the manifest is. */
  readonly placeOf: (path: Path) => Place;
}

/** Reads `platform.app.json` and checks references within it. */
export function checkManifest(text: string): CheckedManifest {
  const placeOf = (path: Path): Place => ({ file: MANIFEST_FILE, ...placeIn(text, path) });
  const parsed = parse(text);
  if ("problem" in parsed) return { manifest: undefined, problems: [parsed.problem], placeOf };
  const at: At = (code, message, path) => problem(code, message, placeOf(path));
  const invalid = ({ path, message }: Fault): Problem =>
    at("MANIFEST_INVALID", `${path.join(".") || "the manifest"} ${message}`, path);
  const unstorable = unstorableIn(parsed.json);
  if (unstorable) return { manifest: undefined, problems: [invalid(unstorable)], placeOf };
  const read = manifestSchema.safeParse(parsed.json, { error: plainWords });
  if (!read.success)
    return { manifest: undefined, problems: faultsOf(read.error.issues).map(invalid), placeOf };
  const manifest = read.data;
  return {
    manifest,
    placeOf,
    problems: [
      ...wordProblems(manifest, at),
      ...versionProblems(manifest, at),
      ...scopeProblems(manifest, at),
      ...pageProblems(manifest, at),
      ...contributionProblems(manifest, at),
      ...settingProblems(manifest, at),
      ...templateProblems(manifest, at),
    ],
  };
}

type At = (code: ProblemCode, message: string, path: Path) => Problem;

function parse(text: string): { json: unknown } | { problem: Problem } {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${MANIFEST_FILE} is not JSON: ${why}`;
    return { problem: problem("MANIFEST_INVALID", message, { file: MANIFEST_FILE, ...toldIn(why) }) };
  }
}

/** The place that the JSON parser tells, where it tells one. */
function toldIn(why: string): Place {
  const told = /\(line (\d+) column (\d+)\)/.exec(why);
  return told ? { line: Number(told[1]), column: Number(told[2]) } : {};
}

/** 1.2.0 and 01.2.0 would be one version with two names. */
function versionProblems({ version }: Manifest, at: At): Problem[] {
  return version.split(".").every((part) => String(Number(part)) === part)
    ? []
    : [at("MANIFEST_INVALID", `version must have no zeros before a number, not ${version}`, ["version"])];
}

function scopeProblems({ scopes }: Manifest, at: At): Problem[] {
  return scopes.flatMap((scope, i) =>
    scopes.indexOf(scope) < i ? [at("MANIFEST_INVALID", `scopes.${i} repeats ${scope}`, ["scopes", i])] : [],
  );
}

function pageProblems({ ui }: Manifest, at: At): Problem[] {
  const pages = new Set(ui.pages.map(({ id }) => id));
  const extensions = ui.extensions ?? [];
  return [
    ...duplicates(ui.pages).map(([id, i]) =>
      at("PAGE_DUPLICATE", `There are two pages ${id}; each needs an id of its own.`, [
        "ui",
        "pages",
        i,
        "id",
      ]),
    ),
    ...extensions.flatMap((extension, i) => {
      const page = extension.page_id ?? extension.pageId ?? "";
      if (pages.has(page)) return [];
      return [
        at("PAGE_UNKNOWN", `There is no page ${page} for slot ${extension.slot}.`, ["ui", "extensions", i]),
      ];
    }),
  ];
}

function contributionProblems({ ui }: Manifest, at: At): Problem[] {
  const contributions = ui.contributions ?? [];
  const pages = new Set(ui.pages.map(({ id }) => id));
  return [
    ...duplicates(contributions).map(([id, i]) =>
      at("CONTRIBUTION_DUPLICATE", `There are two contributions ${id}; each needs an id of its own.`, [
        ...["ui", "contributions"],
        i,
        "id",
      ]),
    ),
    ...contributions.flatMap(({ kind, pageId, id }, i) => {
      const path = ["ui", "contributions", i];
      if (pageId !== undefined && !pages.has(pageId))
        return [at("PAGE_UNKNOWN", `There is no page ${pageId} for contribution ${id}.`, path)];
      if (pageId === undefined && kind !== "column")
        return [at("CONTRIBUTION_PAGE_MISSING", `Contribution ${id} needs a pageId to open.`, path)];
      return [];
    }),
    ...contributions.flatMap(({ kind, id }, i) => {
      if (RENDERED_KINDS.includes(kind)) return [];
      const message = `Contribution ${id} is installed but not drawn: of its kinds, ${RENDERED_KINDS.join(", ")} is.`;
      return [at("CONTRIBUTION_UNRENDERED", message, ["ui", "contributions", i, "kind"])];
    }),
  ];
}

function settingProblems({ settings = [], scopes }: Manifest, at: At): Problem[] {
  return [
    ...duplicates(settings.map(({ key }) => ({ id: key }))).map(([key, i]) =>
      at("SETTING_DUPLICATE", `There are two settings ${key}.`, ["settings", i, "key"]),
    ),
    ...settings.flatMap(({ key, type, default: given, hosts }, i) => {
      const found: Problem[] = [];
      const wants = type === "boolean" ? "boolean" : "string";
      if (given !== undefined && (type === "secret" || typeof given !== wants)) {
        const why =
          type === "secret" ? "A secret has no default: everybody could read it" : `It must be a ${wants}`;
        found.push(
          at("SETTING_DEFAULT_INVALID", `The default of setting ${key} is wrong. ${why}.`, ["settings", i]),
        );
      }
      for (const host of hosts ?? []) {
        if (!isGranted(scopes, `http:${host}`) && !scopes.includes(`http:${host}`))
          found.push(
            at("HOST_UNKNOWN", `Secret ${key} names ${host}, for which there is no scope http:${host}.`, [
              "settings",
              i,
            ]),
          );
      }
      return found;
    }),
  ];
}

function templateProblems({ agents = [], teams = [] }: Manifest, at: At): Problem[] {
  const known = new Set(agents.map(({ id }) => id));
  return [
    ...duplicates(agents).map(([id, i]) =>
      at("TEMPLATE_DUPLICATE", `There are two agent templates ${id}.`, ["agents", i, "id"]),
    ),
    ...duplicates(teams).map(([id, i]) =>
      at("TEMPLATE_DUPLICATE", `There are two team templates ${id}.`, ["teams", i, "id"]),
    ),
    ...teams.flatMap(({ id, agents: members, entry }, i) =>
      [...members, ...(entry === undefined ? [] : [entry])]
        .filter(
          (one, _, all) => !known.has(one) || (one === entry && !all.slice(0, members.length).includes(one)),
        )
        .map((one) =>
          at("TEMPLATE_UNKNOWN", `Team ${id} names ${one}, which is no agent template of it.`, ["teams", i]),
        ),
    ),
  ];
}

/** Entries whose id occurred earlier, with their indexes. */
function duplicates(list: readonly { readonly id: string }[]): [id: string, index: number][] {
  return list.flatMap(({ id }, i) =>
    list.findIndex((other) => other.id === id) < i ? [[id, i] as [string, number]] : [],
  );
}
