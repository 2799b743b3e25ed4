import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestNameServer } from "../../../testkit/name-server.ts";
import { systemClock } from "../../clock.ts";
import { createSystemResolver, type Resolve } from "./system-resolver.ts";

const HOSTS = `127.0.0.1 localhost # this machine
10.0.0.7\tBox.example box
fd00::7 box.example
not-an-address broken.example
`;

let server: TestNameServer;
let resolve: Resolve;
beforeAll(async () => {
  server = await TestNameServer.start({
    "v4.example": ["93.184.215.14"],
    "both.example": ["93.184.215.14", "2606:2800:21f:cb07::1"],
    "mixed.example": ["93.184.215.14", "::1"],
    "empty.example": [],
    "ill.example": "servfail",
    "silent.example": "silence",
    "brain.svc.cluster": ["10.1.2.3"],
  });
  const hostsFile = join(tmpdir(), `parley-hosts-${process.pid}`);
  const resolvConf = join(tmpdir(), `parley-resolv-${process.pid}`);
  await writeFile(hostsFile, HOSTS);
  await writeFile(resolvConf, "nameserver 10.0.0.2\nsearch svc.cluster.\noptions ndots:5\n");
  resolve = createSystemResolver({
    clock: systemClock,
    servers: [server.address],
    hostsFile,
    resolvConf,
    tryMs: 30,
  });
});
afterAll(() => server.close());

const addresses = async (host: string) => (await resolve(host)).map(({ address }) => address);

describe("a name", () => {
  it.each([
    ["v4.example", ["93.184.215.14"]],
    ["V4.EXAMPLE", ["93.184.215.14"]],
    ["v4.example.", ["93.184.215.14"]],
    ["both.example", ["93.184.215.14", "2606:2800:21f:cb07::1"]],
    ["mixed.example", ["93.184.215.14", "::1"]],
    ["box.example", ["10.0.0.7", "fd00::7"]],
    ["box", ["10.0.0.7"]],
    ["localhost", ["127.0.0.1"]],
    ["any.localhost", ["127.0.0.1", "::1"]],
    ["brain", ["10.1.2.3"]],
    ["brain.svc.cluster", ["10.1.2.3"]],
  ])("leads to all its addresses: %s", async (host, expected) => {
    expect(await addresses(host)).toEqual(expected);
  });

  it.each([
    ["gone.example", "ENOTFOUND"],
    ["empty.example", "ENOTFOUND"],
    ["broken.example", "ENOTFOUND"],
    ["ill.example", "ESERVFAIL"],
    ["silent.example", "ETIMEOUT"],
  ])("%s fails with %s", async (host, code) => {
    await expect(resolve(host)).rejects.toMatchObject({ name: "LookupError", code });
  });

  it("is asked for again each time: what it leads to may have changed", async () => {
    server.zones.set("moving.example", ["93.184.215.14"]);
    expect(await addresses("moving.example")).toEqual(["93.184.215.14"]);
    server.zones.set("moving.example", ["10.0.0.1"]);
    expect(await addresses("moving.example")).toEqual(["10.0.0.1"]);
  });

  it("of this machine is never asked for", () => {
    expect(server.asked).not.toContain("any.localhost");
    expect(server.asked).not.toContain("box.example");
  });
});
