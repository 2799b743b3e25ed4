import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";

/** The names of an `/etc/hosts` in lower case, with their addresses in file order (hosts(5)). */
export function parseHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...aliases] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), { address, family }]);
    }
  }
  return names;
}

/** `localhost` and its subdomains are this machine, whatever a name server says (RFC 6761, 6.3). */
export function addressesOfLocalhost(name: string): readonly LookupAddress[] | undefined {
  if (name !== "localhost" && !name.endsWith(".localhost")) return undefined;
  return [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
}
