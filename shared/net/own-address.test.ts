import type { NetworkInterfaceInfo } from "node:os";
import { expect, it } from "vitest";
import { ownAddress } from "./own-address.ts";

const given = (address: string, family: "IPv4" | "IPv6", internal = false) =>
  ({ address, family, internal, netmask: "", mac: "", cidr: null, scopeid: 0 }) as NetworkInterfaceInfo;
const INTERFACES = [given("127.0.0.1", "IPv4", true), given("fd00::7", "IPv6"), given("10.0.0.7", "IPv4")];

it.each([
  ["listens on every address", { host: "0.0.0.0" }, "10.0.0.7:8090"],
  ["listens on one", { host: "127.0.0.1" }, "127.0.0.1:8090"],
  ["listens on one of IPv6", { host: "fd00::9" }, "[fd00::9]:8090"],
  ["was told its name", { host: "0.0.0.0", privateHost: "gateway-3" }, "gateway-3:8090"],
])(
  "the address of a process that %s is what others reach it by",
  (_, { host, privateHost }: Given, address) => {
    expect(ownAddress({ host, port: 8_090, privateHost }, INTERFACES)).toBe(address);
  },
);

it("on a machine without IPv4 it is one of IPv6, and alone on its machine the loopback", () => {
  const anywhere = { host: "0.0.0.0", port: 1, privateHost: undefined };
  expect(ownAddress(anywhere, INTERFACES.slice(0, 2))).toBe("[fd00::7]:1");
  expect(ownAddress(anywhere, INTERFACES.slice(0, 1))).toBe("127.0.0.1:1");
});

interface Given {
  readonly host: string;
  readonly privateHost?: string;
}
