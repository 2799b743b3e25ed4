/** The query parameters a page knows; all are text and optional. */
type Search<Name extends string> = { readonly [name in Name]?: string };

/** Reads a page's query and drops unknown parameters. */
export function searchOf<const Name extends string>(
  ...names: readonly Name[]
): (search: Record<string, unknown>) => Search<Name> {
  return (search) => {
    const known: { [name in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === "string") known[name] = value;
    }
    return known;
  };
}

/** Keeps text as text: a number in an address is more often a phone number than a quantity. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  return params.size === 0 ? "" : `?${params}`;
}
