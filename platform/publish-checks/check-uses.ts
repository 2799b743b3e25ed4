import type { Manifest } from "../manifest/manifest.ts";
import type { Method } from "../methods/define.ts";
import { CONFIG_GROUPS, isGranted, SCOPE_HOST } from "../methods/scopes.ts";
import { findMethod, METHODS } from "../methods/table.ts";
import { type Place, type Problem, problem } from "./problem.ts";
import type { ScannedScript, UsedMethod } from "./scan-script.ts";

const NAMESPACES: ReadonlySet<string> = new Set(METHODS.map(({ name }) => name.split(".")[0] ?? ""));
/** Namespace names that other code commonly uses too, so an unknown method on them proves nothing. */
const COMMON: ReadonlySet<string> = new Set([
  "data",
  "files",
  "http",
  "links",
  "members",
  "stream",
  "theme",
  "ui",
]);

const CONNECTION = "connection:";

/** Checks the scripts' calls against what the manifest asks for; `placeOf` says where a value of the manifest is. */
export function checkUses(
  manifest: Manifest,
  scripts: readonly ScannedScript[],
  placeOf: (path: readonly (string | number)[]) => Place,
): Problem[] {
  const uses = scripts.flatMap((script) => script.uses);
  const known = uses.flatMap((use) => {
    const method = findMethod(use.name);
    return method ? [{ use, method }] : [];
  });
  return [
    ...once(uses.flatMap(unknownMethod)),
    ...once(known.flatMap(({ use, method }) => missingScope(manifest, use, method))),
    ...unusedScopes(manifest, known).map(([message, index]) =>
      problem("SCOPE_UNUSED", message, placeOf(["scopes", index])),
    ),
    ...unknownSecrets(manifest, scripts),
  ];
}

function unknownMethod(use: UsedMethod): Problem[] {
  const [namespace = ""] = use.name.split(".");
  if (!NAMESPACES.has(namespace) || COMMON.has(namespace) || findMethod(use.name)) return [];
  // Only names that would be the bridge's own: `agents.map(…)` calls a method of some list.
  if (Object.hasOwn(Array.prototype, use.name.slice(namespace.length + 1))) return [];
  return [problem("METHOD_UNKNOWN", `The bridge has no method ${use.name}.`, placeIn(use))];
}

function missingScope({ scopes }: Manifest, use: UsedMethod, { scope }: Method): Problem[] {
  const missing = (needed: string): Problem[] => [
    problem(
      "SCOPE_MISSING",
      `${use.name} needs scope ${needed}, which the manifest does not have.`,
      placeIn(use),
    ),
  ];
  // Which accounts can serve a capability is known where they are connected.
  if (scope.kind === "server")
    return scopes.some((one) => one.startsWith(CONNECTION)) ? [] : missing(`${CONNECTION}<provider>`);
  if (scope.kind === "all") return scope.scopes.filter((one) => !scopes.includes(one)).flatMap(missing);
  if (scope.kind === "any")
    return scopes.some((one) => one.startsWith(scope.prefix)) ? [] : missing(`${scope.prefix}…`);
  if (use.name.startsWith("data."))
    return use.firstText === undefined || scopes.includes(`objects:${use.firstText}`)
      ? []
      : missing(`objects:${use.firstText}`);
  if (use.name === "agents.updateConfig")
    return CONFIG_GROUPS.filter((group) => use.secondKeys.includes(group))
      .map((group) => `agents:config:write:${group}`)
      .filter((one) => !scopes.includes(one))
      .flatMap(missing);
  if (use.name !== "http.fetch") return [];
  const { connection } = use;
  const isMissing = connection !== undefined && !scopes.includes(CONNECTION + connection);
  return [...missingHost(scopes, use), ...(isMissing ? missing(CONNECTION + connection) : [])];
}

function missingHost(scopes: readonly string[], use: UsedMethod): Problem[] {
  const host = /^https:\/\/([^/?#:]+)/i.exec(use.url ?? "")?.[1]?.toLowerCase();
  if (host === undefined || !SCOPE_HOST.test(host) || isGranted(scopes, `http:${host}`)) return [];
  const message = `http.fetch asks ${host}, which is not on the list: add scope http:${host}.`;
  return [problem("HOST_NOT_LISTED", message, placeIn(use))];
}

function unusedScopes(
  { scopes }: Manifest,
  known: readonly { readonly use: UsedMethod; readonly method: Method }[],
): [message: string, index: number][] {
  return scopes.flatMap((scope, index): [string, number][] => {
    if (NOT_BY_METHODS.has(scope) || known.some((one) => mayUse(scope, one))) return [];
    const message = `Scope ${scope} is asked for and never used; take it out, or it will be agreed to for nothing.`;
    return [[message, index]];
  });
}

/** Scopes no method needs: fields of the user, REST, live transcripts. */
const NOT_BY_METHODS: ReadonlySet<string> = new Set([
  "user:profile",
  "ai:tts",
  "ai:stt",
  "calls:transcribe:live",
]);

function mayUse(
  scope: string,
  { use, method }: { readonly use: UsedMethod; readonly method: Method },
): boolean {
  const rule = method.scope;
  if (rule.kind === "all") return rule.scopes.includes(scope);
  if (rule.kind === "any") return scope.startsWith(rule.prefix);
  if (rule.kind === "none") return false;
  const family = scope.slice(0, scope.lastIndexOf(":") + 1);
  if (family === "objects:" && use.name.startsWith("data."))
    return use.firstText === undefined || scope === `objects:${use.firstText}`;
  if (family === "http:" && use.name === "http.fetch") {
    const host = /^https:\/\/([^/?#:]+)/i.exec(use.url ?? "")?.[1]?.toLowerCase();
    return host === undefined || isGranted([scope], `http:${host}`);
  }
  return rule.shown.includes(family);
}

function unknownSecrets({ settings = [] }: Manifest, scripts: readonly ScannedScript[]): Problem[] {
  const known = new Set(settings.filter(({ type }) => type === "secret").map(({ key }) => key));
  const named = new Map(scripts.flatMap(({ secrets }) => secrets).map((one) => [one.name, one]));
  return [...named.values()]
    .filter(({ name }) => !known.has(name))
    .map(({ name, ...place }) =>
      problem("SECRET_UNKNOWN", `{{secret:${name}}} names no secret among the manifest's settings.`, place),
    );
}

function placeIn({ file, line, column }: UsedMethod) {
  return { file, line, column };
}

/** Keeps the first of each repeated message. */
function once(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ message }) => !seen.has(message) && seen.add(message));
}
