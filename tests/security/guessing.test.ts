import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { PASSWORD, TestPerson } from "../../testkit/person.ts";
import { SteppingClock } from "../../testkit/stepping-clock.ts";

let api: TestControlApi;
let clock: SteppingClock;
beforeAll(async () => {
  clock = new SteppingClock();
  api = await TestControlApi.start({ clock, env: { TRUST_PROXY: "127.0.0.1/32" } });
});
afterAll(() => api.close());

const logIn = (email: string, password: string, from = "203.0.113.1") =>
  api.call("POST", "/api/auth/login", { body: { email, password }, headers: { "x-forwarded-for": from } });

describe("guessing a password", () => {
  it("stops after ten tries at an account, from however many addresses, the right one too", async () => {
    const person = await TestPerson.register(api);
    const tries = Array.from({ length: 30 }, (_, i) => logIn(person.email, `guess ${i}`, `203.0.113.${i}`));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const locked = await logIn(person.email, PASSWORD, "198.51.100.1");
    expect(locked.body).toMatchObject({
      code: "too_many_requests",
      details: { limit: "password_per_account" },
    });
    expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(800);
    clock.step(15 * 60_000);
    expect((await logIn(person.email, PASSWORD)).status).toBe(200);
  });

  it("stops alike at an account that is not there", async () => {
    const statuses = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await logIn("phantom@example.com", "x", `198.51.100.${i}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  it("stops after three hundred tries from an address, at however many accounts, and nobody else is stopped", async () => {
    const from = "192.0.2.9";
    const tries = Array.from({ length: 310 }, (_, i) => logIn(`victim-${i}@example.com`, "Summer2026", from));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const person = await TestPerson.register(api);
    expect((await logIn(person.email, PASSWORD, from)).status).toBe(429);
    expect((await logIn(person.email, PASSWORD, "192.0.2.10")).status).toBe(200);
  });

  it("counts an address block of IPv6 as one address", async () => {
    const tries = Array.from({ length: 301 }, (_, i) =>
      logIn(`six-${i}@example.com`, "x", `2001:db8::${i.toString(16)}`),
    );
    expect((await Promise.all(tries)).filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it("is not excused by a right password in between for other accounts' sake", async () => {
    const person = await TestPerson.register(api);
    for (let i = 0; i < 9; i++) await logIn(person.email, "wrong", "192.0.2.77");
    expect((await logIn(person.email, PASSWORD, "192.0.2.77")).status).toBe(200);
    for (let i = 0; i < 10; i++) expect((await logIn(person.email, "wrong", "192.0.2.77")).status).toBe(401);
    expect((await logIn(person.email, "wrong", "192.0.2.77")).status).toBe(429);
  });
});

describe("an address that nobody trusts", () => {
  it("cannot name another one to be counted as", async () => {
    const direct = await TestControlApi.start();
    const lookUp = (i: number) =>
      direct.call("POST", "/api/auth/lookup", {
        body: { identifier: `a${i}@example.com` },
        headers: { "x-forwarded-for": `203.0.113.${i}` },
      });
    const statuses = (await Promise.all(Array.from({ length: 31 }, (_, i) => lookUp(i)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    await direct.close();
  });
});
