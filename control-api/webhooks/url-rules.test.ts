import { ManualClock } from "@parley/shared/manual-clock.ts";
import { NameLookups } from "@parley/shared/net/names/name-lookups.ts";
import { expect, it } from "vitest";
import { type UrlRules, vetEndpointUrl } from "./url-rules.ts";

function setUp() {
  const clock = new ManualClock();
  const names = new NameLookups({
    resolve: (host) =>
      host.startsWith("silent")
        ? new Promise<never>(() => undefined)
        : Promise.resolve([{ address: "93.184.215.14", family: 4 }]),
    clock,
  });
  const rules: UrlRules = { allowPrivateTargets: [], names };
  return { clock, rules };
}

it("a name whose servers do not answer is refused in bounded time, and says why", async () => {
  const { clock, rules } = setUp();
  const urls = Array.from({ length: 24 }, (_, i) => `https://silent-${i}.example/`);
  const vetted = Promise.allSettled(urls.map((url) => vetEndpointUrl(url, "org_1", rules)));
  clock.advance(4_000);
  for (const outcome of await vetted) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "bad_request" } });
    expect(outcome).toHaveProperty(
      "reason.message",
      expect.stringContaining("could not be looked up (ETIMEOUT)"),
    );
  }
});

it("such names keep no other organization from registering", async () => {
  const { rules } = setUp();
  for (let i = 0; i < 24; i++)
    vetEndpointUrl(`https://silent-${i}.example/`, "org_1", rules).catch(() => undefined);
  expect(await vetEndpointUrl("https://well.example/", "org_2", rules)).toBe("https://well.example/");
});

it("port 0 is refused: nobody listens there, and each delivery would die after eight attempts", async () => {
  const { rules } = setUp();
  await expect(vetEndpointUrl("https://well.example:0/", "org_1", rules)).rejects.toMatchObject({
    code: "bad_request",
  });
});
