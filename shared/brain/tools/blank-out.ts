import { MAX_DEPTH } from "../../contracts/storable.ts";
import type { ToolParameters } from "../../contracts/tools/tool-kind.ts";
import { asJson } from "../model/chunks.ts";
import { declaredSecrets, isObject, objectsIn } from "./declared-secrets.ts";

const BLANK = "";
/** Shorter ones occur in texts that have nothing to do with them. */
const MIN_SECRET_CHARS = 4;
/** How JSON of more than a number or a word begins. */
const JSON_START = /^\s*["[{]/;

/** What is told of a tool's run. */
interface Told {
  readonly arguments: unknown;
  readonly result: unknown;
}

type Names = ReadonlySet<string>;
/** What is shown of a text. */
type Show = (text: string) => string;

/**
 * A copy of a tool's arguments and its result in which what its parameters declare as not to be shown is blank
 * (docs/brain.md#parameters-that-are-not-shown). Arguments that could not be parsed are blank as a whole. Both must be
 * storable.
 */
export function blankOut({ arguments: args, result }: Told, parameters: ToolParameters): Told {
  const { isWhole, names } = declaredSecrets(parameters);
  if (isWhole) return { arguments: BLANK, result: BLANK };
  if (names.size === 0) return { arguments: args, result };
  const secrets = secretsIn(args, names);
  const show: Show = (text) => {
    const json = JSON_START.test(text) ? asJson(text.trim()) : undefined;
    if (json === undefined) return secrets.some((secret) => text.includes(secret)) ? BLANK : text;
    const shown = blanked(json, names, show);
    return shown === json ? text : JSON.stringify(shown);
  };
  return {
    arguments: typeof args === "string" ? BLANK : blanked(args, names, (text) => text),
    result: blanked(result, names, show),
  };
}

/** The call's own values that are not to be shown, also as they stand in a text of JSON that was cut off. */
function secretsIn(args: unknown, names: Names): string[] {
  const values = objectsIn(args)
    .flatMap((one) => Object.entries(one))
    .flatMap(([name, value]: [string, unknown]) => (names.has(name) ? plainIn(value) : []))
    .map(String)
    .filter(({ length }) => length >= MIN_SECRET_CHARS);
  return values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
}

/** The texts and numbers of a value. */
function plainIn(value: unknown): unknown[] {
  const all = isObject(value) ? objectsIn(value).flatMap((one): unknown[] => Object.values(one)) : [value];
  return all.filter((each) => typeof each === "string" || typeof each === "number");
}

/** The same value where nothing of it had to be changed. */
function blanked(value: unknown, names: Names, show: Show, depth = 0): unknown {
  if (typeof value === "string") return show(value);
  if (!isObject(value)) return value;
  // As deep as what is stored otherwise; a text may have more.
  if (depth >= MAX_DEPTH) return null;
  const entries = Object.entries(value).map(([name, each]: [string, unknown]): [string, unknown, boolean] => {
    // A name may be there twice, of which only the last one was read: it is written anew.
    if (names.has(name) && !Array.isArray(value)) return [name, BLANK, true];
    const shown = blanked(each, names, show, depth + 1);
    return [name, shown, shown !== each];
  });
  if (!entries.some(([, , isChanged]) => isChanged)) return value;
  if (Array.isArray(value)) return entries.map(([, shown]) => shown);
  return Object.fromEntries(entries.map(([name, shown]) => [name, shown]));
}
