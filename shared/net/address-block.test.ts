import { expect, it } from "vitest";
import { addressBlock } from "./address-block.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
])("an address counts as its block: %s", (ip, block) => {
  expect(addressBlock(ip)).toBe(block);
});
