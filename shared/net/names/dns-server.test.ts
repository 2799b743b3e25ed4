import { Resolver } from "node:dns";
import { expect, it } from "vitest";
import { isDnsServer } from "./dns-server.ts";

it.each(["10.0.0.2", "10.0.0.2:5353", "fd00::2", "[fd00::2]:5353"])("is a name server: %s", (text) => {
  expect(isDnsServer(text)).toBe(true);
  expect(() => new Resolver().setServers([text])).not.toThrow();
});

it.each(["", "dns.example", "10.0.0.2:0", "10.0.0.2:99999", "fd00::2]:53", "[10.0.0.2]:53"])(
  "is none: %j",
  (text) => {
    expect(isDnsServer(text)).toBe(false);
  },
);
