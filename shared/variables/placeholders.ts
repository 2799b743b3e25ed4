const PLACEHOLDER = /\{\{?\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}?\}/g;

/** Puts values into `{name}` and `{{name}}`; what nobody filled is left out. Everything else stays as it is. */
export function fillPlaceholders(text: string, lookUp: (name: string) => string | undefined): string {
  return text.replace(PLACEHOLDER, (_all, name: string) => lookUp(name) ?? "");
}

/** Variables by name, for `fillPlaceholders`. */
export function fromVariables(
  variables: Readonly<Record<string, string>>,
): (name: string) => string | undefined {
  return (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
}

/** For text that is spoken: a placeholder nobody filled leaves no gap behind. */
export function resolvePlaceholders(text: string, variables: Readonly<Record<string, string>>): string {
  return fillPlaceholders(text, fromVariables(variables))
    .replace(/ {2,}/g, " ")
    .replace(/ +([,.!?;:])/g, "$1")
    .trim();
}
