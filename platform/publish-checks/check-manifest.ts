import { MANIFEST_FILE, type Manifest, manifestSchema } from "../manifest/manifest.ts";
import { RENDERED_KINDS } from "../manifest/surfaces.ts";
import { isGranted } from "../methods/scopes.ts";
import { unstorableIn } from "./check-storable.ts";
import { wordProblems } from "./check-words.ts";
import { placeIn } from "./json-place.ts";
import { type Problem, type ProblemCode, problem } from "./problem.ts";

export interface CheckedManifest {
  /** Undefined when the manifest is unreadable. */
  readonly manifest: Manifest | undefined;
  readonly problems: readonly Problem[];
}

/** Reads `platform.app.json` and checks references within it. */
export function checkManifest(text: string): CheckedManifest {
  const parsed = parse(text);
  if ("problem" in parsed) return { manifest: undefined, problems: [parsed.problem] };
  const at = (code: ProblemCode, message: string, path: readonly (string | number)[]): Problem =>
    problem(code, message, { file: MANIFEST_FILE, ...placeIn(text, path) });
  const invalid = (message: string, path: readonly (string | number)[]): Problem =>
    at("MANIFEST_INVALID", `${path.join(".") || "the manifest"}: ${message}`, path);
  const unstorable = unstorableIn(parsed.json);
  if (unstorable) return { manifest: undefined, problems: [invalid(unstorable.message, unstorable.path)] };
  const read = manifestSchema.safeParse(parsed.json);
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) =>
      invalid(
        message,
        path.map((key) => (typeof key === "symbol" ? String(key) : key)),
      ),
    );
    return { manifest: undefined, problems };
  }
  const manifest = read.data;
  return {
    manifest,
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

type At = (code: ProblemCode, message: string, path: readonly (string | number)[]) => Problem;

function parse(text: string): { json: unknown } | { problem: Problem } {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    const message = `${MANIFEST_FILE} is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { problem: problem("MANIFEST_INVALID", message, { file: MANIFEST_FILE }) };
  }
}

/** 1.2.0 and 01.2.0 would be one version with two names. */
function versionProblems({ version }: Manifest, at: At): Problem[] {
  return version.split(".").every((part) => String(Number(part)) === part)
    ? []
    : [at("MANIFEST_INVALID", `version: must have no zeros before a number, not ${version}`, ["version"])];
}

function scopeProblems({ scopes }: Manifest, at: At): Problem[] {
  return scopes.flatMap((scope, i) =>
    scopes.indexOf(scope) < i
      ? [at("MANIFEST_INVALID", `scopes.${i}: ${scope} is there twice`, ["scopes", i])]
      : [],
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
