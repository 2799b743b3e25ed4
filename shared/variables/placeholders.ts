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

/** Fills placeholders in spoken text: an unfilled one leaves no gap. */
export function resolvePlaceholders(text: string, variables: Readonly<Record<string, string>>): string {
  return fillPlaceholders(text, fromVariables(variables))
    .replace(/ {2,}/g, " ")
    .replace(/ +([,.!?;:])/g, "$1")
    .trim();
}
