import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAllowedAddress, parseCidrs } from "./address-rules.ts";
import { isCidr } from "./cidr.ts";

/** What webhooks and brains may not reach, and the two ranges beside it. */
const BLOCKED_V4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"],
  ...["203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"],
];
const BLOCKED_V6 = [
  ...["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2001:db8::/32"],
  ...["2002::/16", "3fff::/20", "4000::/3", "8000::/2", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
];

const dotted = (bits: number) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
const hex = (bits: number) => `${(bits >>> 16).toString(16)}:${(bits & 0xffff).toString(16)}`;
const anyV4 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

/** Any address of a range given as CIDR. */
function within(cidr: string): fc.Arbitrary<string> {
  const [network = "", length = ""] = cidr.split("/");
  if (!network.includes(":")) {
    const base = network.split(".").reduce((bits, octet) => bits * 256 + Number(octet), 0);
    const size = 2 ** (32 - Number(length));
    return fc.integer({ min: 0, max: size - 1 }).map((offset) => dotted(base + offset));
  }
  const [head = "", tail = ""] = network.split("::");
  const [before, after] = [head.split(":").filter(Boolean), tail.split(":").filter(Boolean)];
  const groups = [...before, ...Array(8 - before.length - after.length).fill("0"), ...after];
  const base = groups.reduce((bits, group) => (bits << 16n) + BigInt(`0x${group}`), 0n);
  return fc.bigInt({ min: 0n, max: (1n << BigInt(128 - Number(length))) - 1n }).map((offset) => {
    const digits = (base + offset).toString(16).padStart(32, "0");
    return digits.match(/.{4}/g)?.join(":") ?? "";
  });
}

describe("an address", () => {
  it.each(BLOCKED_V4.concat(BLOCKED_V6))("anywhere in %s is refused", (cidr) => {
    fc.assert(fc.property(within(cidr), (address) => !isAllowedAddress(address, [])));
  });

  it("of IPv4 is refused however IPv6 spells it", () => {
    fc.assert(
      fc.property(anyV4, (bits) => {
        const spellings = [`64:ff9b::${dotted(bits)}`, `2002:${hex(bits)}::1`, `::${hex(bits)}`];
        for (const spelling of spellings) expect(isAllowedAddress(spelling, [])).toBe(false);
        const mapped = [`::ffff:${dotted(bits)}`, `::ffff:${hex(bits)}`, `0:0:0:0:0:FFFF:${hex(bits)}`];
        for (const spelling of mapped)
          expect(isAllowedAddress(spelling, [])).toBe(isAllowedAddress(dotted(bits), []));
      }),
    );
  });

  it("outside of every special range is allowed", () => {
    const special = new BlockList();
    const others = ["192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24"];
    for (const cidr of BLOCKED_V4.concat(others)) {
      const [network = "", length = ""] = cidr.split("/");
      special.addSubnet(network, Number(length), "ipv4");
    }
    fc.assert(
      fc.property(anyV4, (bits) => {
        const address = dotted(bits);
        expect(isAllowedAddress(address, [])).toBe(!special.check(address, "ipv4"));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "2001:4860:4860::8888"])(
    "on the internet is allowed: %s",
    (address) => {
      expect(isAllowedAddress(address, [])).toBe(true);
    },
  );

  it.each(["not an address", "[::1]", "", "fe80::1%eth0", "2606:2800::1%eth0", "8.8.8.8/32", "8.8.8.8:80"])(
    "that is none, or names an interface, is refused: %j",
    (address) => {
      expect(isAllowedAddress(address, parseCidrs(["0.0.0.0/0", "::/0"]))).toBe(false);
    },
  );

  it("is allowed where the operator opened a range, and nothing beside it", () => {
    const opened = parseCidrs(["127.0.0.0/8", "fd00:1::/32"]);
    fc.assert(fc.property(within("127.0.0.0/8"), (address) => isAllowedAddress(address, opened)));
    fc.assert(fc.property(within("fd00:1::/32"), (address) => isAllowedAddress(address, opened)));
    for (const address of ["10.0.0.1", "128.0.0.1x", "fd00:2::1", "::1"])
      expect(isAllowedAddress(address, opened)).toBe(false);
    expect(isAllowedAddress("::ffff:127.0.0.1", opened)).toBe(true);
  });
});

describe("a CIDR", () => {
  it.each(["127.0.0.0/8", "0.0.0.0/0", "10.1.2.3/32", "::1/128", "fd00::/8"])("is one: %s", (text) => {
    expect(isCidr(text)).toBe(true);
    expect(() => parseCidrs([text])).not.toThrow();
  });

  it.each(["", "127.0.0.1", "127.0.0.0/33", "::/129", "10/8", "localhost/8", "1.2.3.4/8/8", "1.2.3.4/-1"])(
    "is none: %j",
    (text) => {
      expect(isCidr(text)).toBe(false);
    },
  );
});
