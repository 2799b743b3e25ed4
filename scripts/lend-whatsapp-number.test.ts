import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SCRIPT = join(import.meta.dirname, "lend-whatsapp-number.ts");
const lend = (args: readonly string[], input: string, env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [SCRIPT, ...args], {
    env: { PATH: process.env.PATH ?? "", ...env },
    input,
    encoding: "utf8",
  });

describe("npx node scripts/lend-whatsapp-number.ts", () => {
  it("says how it is used, and which database it needs", () => {
    for (const args of [[], ["--take-back"]])
      expect(lend(args, "").stderr).toMatch(
        /^Usage: .* <orgId> < number\.json\n.*--take-back <phoneNumberId>\n$/,
      );
    expect(lend(["org_1"], "")).toMatchObject({ status: 1, stderr: expect.stringContaining("DATABASE_URL") });
  });

  it("says what it reads, and repeats nothing of what it got, which has secrets", () => {
    for (const input of ['{"accessToken": "EAAG-secret", ', '{"accessToken": "EAAG-secret", "more": 1}']) {
      const { status, stderr, stdout } = lend(["org_1"], input, {
        DATABASE_URL: "postgres://nowhere/parley",
      });
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toBe(
        "Standard input must be JSON with phoneNumberId, businessAccountId, accessToken and appSecret.\n",
      );
    }
  });
});
