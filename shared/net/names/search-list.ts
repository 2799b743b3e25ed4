/** The domains of `search` or `domain` in a resolv.conf(5); the last such line counts. */
export function parseSearchList(text: string): readonly string[] {
  let domains: string[] = [];
  for (const line of text.split("\n")) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, "")
      .trim()
      .split(/\s+/);
    if (keyword === "search") domains = values;
    else if (keyword === "domain") domains = values.slice(0, 1);
  }
  return domains.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== "");
}

/**
 * The names to try in turn until one is known. A name with a dot is tried unchanged first, regardless of `ndots`:
 * most are internet names. A name that ends in a dot is complete.
 */
export function namesToTry(host: string, search: readonly string[]): readonly string[] {
  if (host.endsWith(".")) return [host.slice(0, -1)];
  const completed = search.map((domain) => `${host}.${domain}`);
  return host.includes(".") ? [host, ...completed] : [...completed, host];
}
