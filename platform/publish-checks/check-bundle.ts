import { MANIFEST_FILE, type Manifest } from "../manifest/manifest.ts";
import { BUNDLE_LIMITS, refusalOfPath } from "./bundle-limits.ts";
import { checkManifest } from "./check-manifest.ts";
import { checkUses } from "./check-uses.ts";
import { type Place, type Problem, problem } from "./problem.ts";
import { scanScript } from "./scan-script.ts";
import { scanStyles } from "./scan-styles.ts";

/** Where builds put the styles that an app imports. */
const BUILT_STYLES = "index.css";

/** A bundle's file contents by path. */
export type BundleFiles = ReadonlyMap<string, Uint8Array>;

export interface BundleReport {
  /** Undefined when the manifest is missing or unreadable. */
  readonly manifest: Manifest | undefined;
  /** Errors first, then warnings, each in file order. */
  readonly problems: readonly Problem[];
  /** True when there is no error. */
  readonly isPublishable: boolean;
}

/** Runs every check that precedes publishing. The CLI and the server share it. */
export function checkBundle(files: BundleFiles): BundleReport {
  const manifestBytes = files.get(MANIFEST_FILE);
  const problems: Problem[] = [...sizeProblems(files)];
  const checked = manifestBytes
    ? checkManifest(textOf(manifestBytes))
    : { manifest: undefined, problems: [missingManifest(files)], placeOf: () => ({}) };
  problems.push(...checked.problems);
  const { manifest, placeOf } = checked;
  if (manifest) problems.push(...fileProblems(manifest, files, placeOf));
  const scripts = [...files]
    .filter(([path]) => /\.m?js$/i.test(path))
    .map(([path, bytes]) => scanScript(path, textOf(bytes)));
  problems.push(...scripts.flatMap((script) => script.problems));
  for (const [path, bytes] of files) {
    if (/\.css$/i.test(path)) problems.push(...scanStyles(path, textOf(bytes)));
  }
  if (manifest) problems.push(...checkUses(manifest, scripts, placeOf));
  const ordered = [...ofSeverity(problems, "error"), ...ofSeverity(problems, "warning")];
  return {
    manifest,
    problems: ordered,
    isPublishable: ordered.every(({ severity }) => severity !== "error"),
  };
}

function sizeProblems(files: BundleFiles): Problem[] {
  const total = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  return [
    ...[...files.keys()].flatMap((path) => {
      const refusal = refusalOfPath(path);
      return refusal === undefined ? [] : [problem("FILE_REFUSED", `${path} ${refusal}.`, { file: path })];
    }),
    ...[...files].flatMap(([path, { length }]) =>
      length <= BUNDLE_LIMITS.fileBytes
        ? []
        : [
            problem("BUNDLE_TOO_LARGE", `${path} has more than ${BUNDLE_LIMITS.fileBytes} bytes.`, {
              file: path,
            }),
          ],
    ),
    ...((files.get(MANIFEST_FILE)?.length ?? 0) > BUNDLE_LIMITS.manifestBytes
      ? [
          problem("BUNDLE_TOO_LARGE", `The manifest has more than ${BUNDLE_LIMITS.manifestBytes} bytes.`, {
            file: MANIFEST_FILE,
          }),
        ]
      : []),
    ...(files.size > BUNDLE_LIMITS.files
      ? [problem("BUNDLE_TOO_LARGE", `The bundle has more than ${BUNDLE_LIMITS.files} files.`)]
      : []),
    ...(total > BUNDLE_LIMITS.totalBytes
      ? [problem("BUNDLE_TOO_LARGE", `The bundle has more than ${BUNDLE_LIMITS.totalBytes} bytes.`)]
      : []),
  ];
}

/** Zips of a folder have it around everything. */
function missingManifest(files: BundleFiles): Problem {
  const within = [...files.keys()].find((path) => path.endsWith(`/${MANIFEST_FILE}`));
  const hint =
    within === undefined
      ? ""
      : ` It has ${within}: zip what is in ${within.slice(0, -MANIFEST_FILE.length)}, without the folder.`;
  return problem("MANIFEST_MISSING", `The bundle has no ${MANIFEST_FILE} beside its files.${hint}`);
}

function fileProblems(
  { ui }: Manifest,
  files: BundleFiles,
  placeOf: (path: readonly string[]) => Place,
): Problem[] {
  const missing: Problem[] = [];
  if (!files.has(ui.entry)) {
    const message = `ui.entry names ${ui.entry}, which is not in the bundle.`;
    missing.push(problem("ENTRY_MISSING", message, placeOf(["ui", "entry"])));
  }
  if (ui.styles !== undefined && !files.has(ui.styles)) {
    const message = `ui.styles names ${ui.styles}, which is not in the bundle.`;
    missing.push(problem("STYLES_MISSING", message, placeOf(["ui", "styles"])));
  }
  if (ui.styles === undefined && files.has(BUILT_STYLES)) {
    const message = `${BUILT_STYLES} is not loaded: declare it, with "styles": "${BUILT_STYLES}" in ui of the manifest.`;
    missing.push(problem("STYLES_UNDECLARED", message, placeOf(["ui"])));
  }
  return missing;
}

function ofSeverity(problems: readonly Problem[], severity: Problem["severity"]): Problem[] {
  return problems.filter((one) => one.severity === severity);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
