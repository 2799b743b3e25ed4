import ipaddr from "ipaddr.js";

/** A parsed CIDR: address and prefix length. */
export type Cidr = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Formally public, yet internal: the host agent of a large cloud. */
const ALSO_BLOCKED = new Set(["168.63.129.16"]);

/** All IPv6 space ever assigned as global unicast; ipaddr.js calls the unassigned rest unicast, too. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

export function parseCidrs(texts: readonly string[]): readonly Cidr[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

/**
 * True when a customer's URL may lead to `address` (an IP without brackets): a public unicast address, or one that
 * the operator has allowed. Refuses everything that is not plain unicast, including IPv4 inside IPv6 (mapped,
 * compatible, NAT64, 6to4, Teredo) and an address with a zone, which names an interface of this machine.
 */
export function isAllowedAddress(address: string, allowed: readonly Cidr[]): boolean {
  if (address.includes("%") || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (allowed.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits)))
    return true;
  const isReachable = parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_V6);
  return isReachable && parsed.range() === "unicast" && !ALSO_BLOCKED.has(parsed.toString());
}
