import { cutText } from "../contracts/storable.ts";

/** Of values in one text, in characters: a text may name a variable thousands of times, and is filled in each turn. */
const MAX_FILLED_CHARS = 40_000;

const PLACEHOLDER = /\{\{?\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}?\}/g;

/** Fills `{name}` and `{{name}}` with values; unfilled placeholders are removed. Everything else stays unchanged. */
export function fillPlaceholders(text: string, lookUp: (name: string) => string | undefined): string {
  return text.replace(PLACEHOLDER, (_all, name: string) => lookUp(name) ?? "");
}

/** Variables by name, for `fillPlaceholders`. */
export function fromVariables(
  variables: Readonly<Record<string, string>>,
): (name: string) => string | undefined {
  return (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
}

/** The same for one text, with at most `MAX_FILLED_CHARS` of their values. */
export function fromBoundedVariables(
  variables: Readonly<Record<string, string>>,
): (name: string) => string | undefined {
  return upTo(MAX_FILLED_CHARS, fromVariables(variables));
}

/** Fills placeholders in spoken text, with at most `MAX_FILLED_CHARS` of values: an unfilled one leaves no gap. */
export function resolvePlaceholders(text: string, variables: Readonly<Record<string, string>>): string {
  return fillPlaceholders(text, fromBoundedVariables(variables))
    .replace(/ {2,}/g, " ")
    .replace(/ +([,.!?;:])/g, "$1")
    .trim();
}

/** Values until all together have that many characters. */
function upTo(
  maxChars: number,
  lookUp: (name: string) => string | undefined,
): (name: string) => string | undefined {
  let left = maxChars;
  return (name) => {
    if (left === 0) return undefined;
    const value = lookUp(name);
    const kept = value !== undefined && value.length > left ? cutText(value, left) : value;
    left = kept === value ? left - (value?.length ?? 0) : 0;
    return kept;
  };
}
