// Real time: how long an answer takes is what is measured.
import { hash } from "@node-rs/argon2";
import { PASSWORD_COST } from "@parley/control-api/identity/accounts/passwords.ts";
import { newId } from "@parley/shared/ids.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";

const ACCOUNTS = 40;
const TRIES = 4;
/**
 * How far the share of pairs in which the known identifier took longer may be from a half. With 160 tries a side
 * chance alone stays within 0.13 but once in ten thousand runs; an answer that skips the hash is at 0.5.
 */
const TOLERANCE = 0.15;

let api: TestControlApi;
let known: string[];
const unknown = Array.from({ length: ACCOUNTS }, (_, i) => `stranger-${i}@example.com`);

beforeAll(async () => {
  api = await TestControlApi.start({ env: { TRUST_PROXY: "127.0.0.1/32" }, passwordCost: PASSWORD_COST });
  const passwordHash = await hash("the right password", { ...PASSWORD_COST, parallelism: 1 });
  const at = new Date();
  const users = Array.from({ length: ACCOUNTS }, (_, i) => ({
    id: newId("usr"),
    email: `known-${i}@example.com`,
    password_hash: passwordHash,
    status: "active" as const,
    verified_at: at,
    created_at: at,
  }));
  await api.database.db.insertInto("users").values(users).execute();
  known = users.map(({ email }) => email);
});
afterAll(() => api.close());

let requests = 0;
async function durationOf(path: string, body: Record<string, unknown>): Promise<number> {
  requests += 1;
  const from = `10.9.${(requests >> 8) & 255}.${requests & 255}`;
  const startedMs = performance.now();
  const { status } = await api.call("POST", `/api/auth/${path}`, {
    body,
    headers: { "x-forwarded-for": from },
  });
  const durationMs = performance.now() - startedMs;
  expect([200, 401]).toContain(status);
  return durationMs;
}

type Ask = (identifier: string) => Promise<number>;

/** The share of pairs in which `ask` took longer for the first kind of identifier: 0.5 when nothing can be told. */
async function shareSlower(first: Ask, second: Ask): Promise<number> {
  const [slow, quick]: [number[], number[]] = [[], []];
  for (let round = 0; round < TRIES; round++) {
    for (let i = 0; i < ACCOUNTS; i++) {
      // One after the other, in turn first: what drifts over time falls on both.
      const inTurn = [
        async () => slow.push(await first(known[i] ?? "")),
        async () => quick.push(await second(unknown[i] ?? "")),
      ];
      for (const ask of i % 2 === 0 ? inTurn : inTurn.toReversed()) await ask();
    }
  }
  const pairs = slow.flatMap((a) => quick.map((b) => (a > b ? 1 : Number(a === b) / 2)));
  return pairs.reduce((sum, pair) => sum + pair, 0) / pairs.length;
}

describe("the time an answer takes does not tell whether there is an account", () => {
  it.each<[string, Ask]>([
    ["login", (email) => durationOf("login", { email, password: "a wrong password" })],
    ["login-otp", (email) => durationOf("login-otp", { email })],
  ])(
    "on %s",
    async (_, ask) => {
      expect(Math.abs((await shareSlower(ask, ask)) - 0.5)).toBeLessThan(TOLERANCE);
    },
    60_000,
  );

  it("on forgot-password", async () => {
    await api.database.db.deleteFrom("rate_limits").execute();
    const ask: Ask = (email) => durationOf("forgot-password", { email });
    expect(Math.abs((await shareSlower(ask, ask)) - 0.5)).toBeLessThan(TOLERANCE);
  });

  it("which this measure would see: an answer without the hash stands out", async () => {
    await api.database.db.deleteFrom("rate_limits").execute();
    const full: Ask = (email) => durationOf("login", { email, password: "a wrong password" });
    const shortcut: Ask = (email) => durationOf("lookup", { email });
    expect(await shareSlower(full, shortcut)).toBeGreaterThan(0.9);
  });
});
