import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

const HALF_OF_IPV6 = 4;

/**
 * The block that counts as one sender: an IPv4 address, or the /64 of an IPv6 address, which one subscriber owns
 * entirely.
 */
export function addressBlock(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const address = ipaddr.IPv6.parse(ip);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, HALF_OF_IPV6).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
