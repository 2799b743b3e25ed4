import { ManualClock } from "@parley/shared/manual-clock.ts";
import { expect, it } from "vitest";
import { MintedTokens } from "./minted-tokens.ts";

function tokens() {
  const clock = new ManualClock();
  let minted = 0;
  const mint = async () => {
    minted += 1;
    return { token: `token-${minted}`, expiresInSecs: 3_600 };
  };
  return { clock, minted: () => minted, source: new MintedTokens(clock).source("org_1", "con_1", mint) };
}

it("mints once for all who see at the same time that a token has expired", async () => {
  const { clock, minted, source } = tokens();
  expect(await source.token()).toBe("token-1");
  clock.advance(2 * 3_600_000);
  expect(await Promise.all([source.token(), source.token(), source.token()])).toEqual(
    Array.from({ length: 3 }, () => "token-2"),
  );
  expect(minted()).toBe(2);
});

it("mints once for all whose token was refused", async () => {
  const { minted, source } = tokens();
  const refused = (await source.token()) ?? "";
  expect(await Promise.all([source.renewed(refused), source.renewed(refused)])).toEqual([
    "token-2",
    "token-2",
  ]);
  expect(await source.renewed(refused)).toBe("token-2");
  expect(minted()).toBe(2);
});
