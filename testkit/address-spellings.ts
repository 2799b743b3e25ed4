import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { BAD_URLS, BLOCKED_URLS, PUBLIC_V4 } from "./url-spellings.ts";

/**
 * Spellings of forbidden addresses that try to get past a check: from the IANA special-purpose registries
 * (IPv4, IPv6), the URL standard's host parser and known tricks. Public look-alikes are in `look-alikes.ts`.
 */

export interface Spelling {
  readonly group: string;
  readonly url: string;
  /** Error code of the registration. */
  readonly code: "blocked_address" | "bad_request";
}

/** Hosts for `https://`, separated by spaces. */
const BLOCKED_HOSTS: Readonly<Record<string, string>> = {
  loopback: "127.0.0.1 127.0.0.2 127.0.1.3 127.127.127.127 127.255.255.254",
  "loopback in short": "127.1 127.0.1 127.65535 127.16777215",
  "loopback in decimal": "2130706433 2130706434 2147483647",
  "loopback in hexadecimal": "0x7f000001 0X7F000001 0x7f.1 0x7f.0x0.0x0.0x1 0x7f.0.0.1 0x7f.0x000001 127.0x1",
  "loopback in octal": "0177.0.0.1 0177.1 017700000001 00000177.0.0.01 0177.0000.0000.0001 127.0.0.01",
  "loopback in mixed bases": "0177.0x0.0.1 0x7f.0.00.1 127.0x0.00.0x1 0177.0.0x1",
  "loopback with a dot at its end": "127.0.0.1. 127.1. 0x7f.1. 2130706433. 017700000001.",
  "loopback in other scripts": "①②⑦.⓪.⓪.① １２７.０.０.１ 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ¹²⁷.⁰.⁰.¹ ₁₂₇.₀.₀.₁ ０ｘ７ｆ.１ 0ⓧ7ⓕ.1",
  "loopback with other full stops": "127。0。0。1 127．0．0．1 127｡0｡0｡1 127。1 127.0.0.1。",
  "loopback with invisible characters": "127.0.0\u00ad.1 127\u200b.0.0.1 127.0.0.1\u2060",
  "loopback in percents":
    "%31%32%37.0.0.1 127%2e0%2e0%2e1 127%E3%80%820.0.1 %30x7f.1 %EF%BC%91%EF%BC%92%EF%BC%97.1",
  unspecified: "0.0.0.0 0 0. 0x0 0x 00 0.0 0.0.0 0.0.0.0. ０ 0.1.2.3 0.255.255.255",
  "private, 10/8": "10.0.0.0 10.0.0.1 10.255.255.255 10.1 167772161 0xa.1 0x0a000001 012.0.0.1 012.1",
  "private, 172.16/12": "172.16.0.0 172.16.1 172.31.255.255 172.20.10.1 2886729729 0xac100001 0254.16.0.1",
  "private, 192.168/16":
    "192.168.0.1 192.168.255.255 192.168.1 3232235521 0xc0a80001 0300.0250.1 192.11010049",
  "link-local": "169.254.0.0 169.254.1.1 169.254.255.255 169.254.169.123",
  "metadata of clouds":
    "169.254.169.254 169.254.170.2 169.254.170.23 168.63.129.16 100.100.100.200 192.0.0.192",
  "metadata in decimal, hexadecimal and octal":
    "2852039166 0xa9fea9fe 0xA9.0xFE.0xA9.0xFE 0251.0376.0251.0376 025177524776 169.254.43518 169.16689662",
  "metadata otherwise":
    "169。254。169。254 １６９.254.169.254 169.254.169.254. 0xa83f8110 1684301000 3221225664",
  "carrier-grade NAT": "100.64.0.0 100.64.0.1 100.127.255.255 100.4194305",
  "assigned to protocols": "192.0.0.0 192.0.0.1 192.0.0.8 192.0.0.170 192.0.0.255",
  documentation: "192.0.2.0 192.0.2.1 192.0.2.255 198.51.100.1 198.51.100.255 203.0.113.0 203.0.113.255",
  benchmarks: "198.18.0.0 198.18.0.1 198.19.255.255",
  multicast: "224.0.0.0 224.0.0.1 239.255.255.250 239.255.255.255",
  "reserved and broadcast":
    "240.0.0.0 240.0.0.1 254.1.2.3 255.255.255.254 255.255.255.255 4294967295 0xffffffff",
  "anycast of relays and AS112": "192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1",
  "IPv6 loopback":
    "[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1] [::0.0.0.1]",
  "IPv6 unspecified": "[::] [0::0] [0:0:0:0:0:0:0:0] [::0.0.0.0]",
  "mapped IPv4":
    "[::ffff:127.0.0.1] [::FFFF:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::ffff:0.0.0.0] [::ffff:10.0.0.1] [::ffff:192.168.0.1] [::ffff:a9fe:a9fe] [::ffff:100.64.0.1] [::ffff:168.63.129.16]",
  "compatible IPv4": "[::127.0.0.1] [::7f00:1] [::10.0.0.1] [::169.254.169.254] [::a9fe:a9fe] [::8.8.8.8]",
  "translated IPv4": "[::ffff:0:127.0.0.1] [::ffff:0:a9fe:a9fe] [::ffff:0:808:808]",
  NAT64: "[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1] [64:ff9b::8.8.8.8]",
  "NAT64 of a network's own": "[64:ff9b:1::7f00:1] [64:ff9b:1:ffff::10.0.0.1] [64:ff9b:1:a9fe:a9:fe00::]",
  "6to4":
    "[2002:7f00:1::] [2002:7f00:1::1] [2002:a9fe:a9fe::] [2002:a00:1::1] [2002:c0a8:101::1] [2002:808:808::1]",
  Teredo: "[2001::1] [2001:0:53aa:64c:0:0:80ff:fffe] [2001:0:4136:e378:8000:63bf:5601:5601]",
  "assigned to IPv6 protocols":
    "[2001:1::1] [2001:1::2] [2001:2::1] [2001:3::1] [2001:4:112::1] [2001:1ff:ffff::1]",
  "ORCHID and DRIP": "[2001:10::1] [2001:1f:ffff::1] [2001:20::1] [2001:2f:ffff::1] [2001:30::1]",
  "IPv6 documentation": "[2001:db8::1] [2001:db8:ffff:ffff::1] [2001:DB8::] [3fff::1] [3fff:fff:ffff::1]",
  "IPv6 discarded": "[100::1] [100::ffff:ffff:ffff:ffff] [100:0:0:1::1]",
  "segments of SRv6": "[5f00::1] [5f00:ffff::1]",
  "unique local":
    "[fc00::1] [fd00::1] [fdff:ffff:ffff:ffff::1] [fd00:ec2::254] [fd00:ec2::23] [fd20:ce::254]",
  "IPv6 link-local": "[fe80::1] [FE80::a9fe:a9fe] [fe80:0:0:0:1:2:3:4] [febf:ffff::1]",
  "site-local": "[fec0::1] [feff:ffff::1]",
  "IPv6 multicast": "[ff01::1] [ff02::1] [ff02::fb] [ff05::2] [ff0e::1] [ffff::1]",
  "unassigned IPv6": "[1::1] [200::1] [400::1] [1fff::1] [4000::1] [8000::1] [c000::1] [e000::1] [fe00::1]",
  "AS112 over IPv6": "[2620:4f:8000::1]",
};

/** Resolver answers by name; each is refused. */
const BLOCKED_NAMES: Readonly<Record<string, string>> = {
  localhost: "127.0.0.1 ::1",
  "localhost.": "127.0.0.1 ::1",
  "api.localhost": "127.0.0.1",
  "localhost.localdomain": "127.0.0.1",
  "ip6-localhost": "::1",
  "ip6-loopback": "::1",
  "host.docker.internal": "192.168.65.254",
  "kubernetes.default.svc": "10.96.0.1",
  "metadata.google.internal": "169.254.169.254",
  "metadata.google.internal.": "169.254.169.254",
  metadata: "169.254.169.254",
  "instance-data": "169.254.169.254",
  "127.0.0.1.nip.io": "127.0.0.1",
  "7f000001.nip.io": "127.0.0.1",
  "www.10-0-0-1.sslip.io": "10.0.0.1",
  "169.254.169.254.nip.io": "169.254.169.254",
  "--1.sslip.io": "::1",
  "localtest.me": "127.0.0.1",
  "one-of-two.example": `${PUBLIC_V4} 10.0.0.1`,
  "the-other-family.example": `${PUBLIC_V4} ::1`,
  "mapped.example": "::ffff:10.0.0.1",
  "translated.example": "64:ff9b::a00:1",
  "zone.example": "fe80::1%eth0",
  "unspecified.example": "0.0.0.0",
  "shared.example": "100.64.1.1",
};

/** Other spellings of the names above. */
const NAMES_OTHERWISE =
  "LOCALHOST LocalHost ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ loc\u00adalhost local\u200bhost localhost。 %6c%6f%63%61%6c%68%6f%73%74 METADATA.google.INTERNAL metadata。google。internal";

const spellings = (
  table: Readonly<Record<string, readonly string[]>>,
  code: Spelling["code"],
): readonly Spelling[] =>
  Object.entries(table).flatMap(([group, urls]) => urls.map((url) => ({ group, url, code })));

const toUrls = (hosts: string): string[] => hosts.split(" ").map((host) => `https://${host}/`);

/** Each must be refused at registration. */
export const REFUSED: readonly Spelling[] = [
  ...Object.entries(BLOCKED_HOSTS).flatMap(([group, hosts]) =>
    spellings({ [group]: toUrls(hosts) }, "blocked_address"),
  ),
  ...spellings({ names: toUrls(Object.keys(BLOCKED_NAMES).join(" ")) }, "blocked_address"),
  ...spellings({ "names otherwise": toUrls(NAMES_OTHERWISE) }, "blocked_address"),
  ...spellings(BLOCKED_URLS, "blocked_address"),
  ...spellings(BAD_URLS, "bad_request"),
];

/** A resolver for the names above; names under `example.com` are public, and all others do not exist. */
export async function resolveSpelling(host: string): Promise<LookupAddress[]> {
  const answer = BLOCKED_NAMES[host] ?? (/\.example\.com\.?$/.test(host) ? PUBLIC_V4 : undefined);
  if (answer === undefined)
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
  return answer.split(" ").map((address) => ({ address, family: isIP(address) }));
}
