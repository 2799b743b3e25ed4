import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";

let api: TestControlApi;
let clock: SteppingClock;
beforeAll(async () => {
  clock = new SteppingClock();
  api = await TestControlApi.start({ clock });
});
afterAll(() => api.close());

const post = (path: string, body: unknown) => api.call("POST", `/api/auth/${path}`, { body });

async function requestCode(identifier: string): Promise<string> {
  const answer = await post("login-otp", { identifier });
  return (answer.body.data as { requestId: string }).requestId;
}
const verify = (requestId: string, code: string) => post("login-otp/verify", { requestId, code });
const other = (code: string): string => (code === "000000" ? "000001" : "000000");

describe("a one-time code", () => {
  it("signs in once", async () => {
    const person = await TestPerson.register(api);
    const requestId = await requestCode(person.email);
    const code = await person.lastCode();
    const answer = await verify(requestId, code);
    expect(answer.body.data).toMatchObject({
      status: "login",
      user: { email: person.email, verified: true },
      tokens: { accessToken: expect.any(String) },
    });
    expect(await verify(requestId, code)).toMatchObject({ status: 401, body: { code: "code_invalid" } });
  });

  it("lets one of twenty in that redeem it at once", async () => {
    const person = await TestPerson.register(api);
    const requestId = await requestCode(person.email);
    const code = await person.lastCode();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(requestId, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("dies after 10 minutes", async () => {
    const person = await TestPerson.register(api);
    const requestId = await requestCode(person.email);
    clock.step(10 * 60_000);
    expect((await verify(requestId, await person.lastCode())).status).toBe(401);
  });

  it("dies after 5 wrong guesses, though sixty come at once", async () => {
    const person = await TestPerson.register(api);
    const requestId = await requestCode(person.email);
    const code = await person.lastCode();
    const guesses = Array.from({ length: 60 }, () => verify(requestId, other(code)));
    const statuses = new Set((await Promise.all(guesses)).map(({ status }) => status));
    expect([...statuses]).toEqual([401]);
    expect((await verify(requestId, code)).status).toBe(401);
    clock.step(15 * 60_000);
  });

  it("takes the fifth guess", async () => {
    const person = await TestPerson.register(api);
    const requestId = await requestCode(person.email);
    const code = await person.lastCode();
    for (let i = 0; i < 4; i++) await verify(requestId, other(code));
    expect((await verify(requestId, code)).status).toBe(200);
  });

  it("is sent again for the same request after 60 s; the guesses stay counted", async () => {
    const person = await TestPerson.register(api);
    const requestId = await requestCode(person.email);
    const first = await person.lastCode();
    for (let i = 0; i < 4; i++) await verify(requestId, other(first));
    const early = await post("login-otp/resend", { requestId });
    expect(early.status).toBe(429);
    const waitSecs = Number(early.headers.get("retry-after"));
    // The clock goes on during the four guesses.
    expect(waitSecs).toBeGreaterThan(0);
    expect(waitSecs).toBeLessThanOrEqual(60);
    clock.step(waitSecs * 1_000);
    const again = await post("login-otp/resend", { requestId });
    expect(again.body.data).toMatchObject({ requestId, destinationHint: "u•••@example.com" });
    const second = await person.lastCode();
    await verify(requestId, other(second));
    expect((await verify(requestId, second)).status).toBe(401);
    expect((await post("login-otp/resend", { requestId })).status).toBe(410);
  });

  it("is sent 5 times an hour to a destination, whether or not anybody has it", async () => {
    // The code that registering sends is not one of them.
    const person = await TestPerson.register(api);
    for (const identifier of [person.email, "nobody-has-this@example.com"]) {
      for (let i = 0; i < 5; i++) expect((await post("login-otp", { identifier })).status).toBe(200);
      const refused = await post("login-otp", { identifier });
      expect(refused).toMatchObject({
        status: 429,
        body: { details: { limit: "code_sends_per_destination" } },
      });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    }
    clock.step(60 * 60_000);
    expect((await post("login-otp", { identifier: person.email })).status).toBe(200);
  });

  it("is sent 5 times in any 60 minutes, wherever they begin", async () => {
    const identifier = "sliding@example.com";
    const send = async () => (await post("login-otp", { identifier })).status;
    expect(await send()).toBe(200);
    clock.step(59 * 60_000);
    expect([await send(), await send(), await send(), await send()]).toEqual([200, 200, 200, 200]);
    clock.step(90_000);
    const refusedFrom = (await Promise.all(Array.from({ length: 5 }, send))).toSorted();
    expect(refusedFrom).toEqual([200, 429, 429, 429, 429]);
    const refused = await post("login-otp", { identifier });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(58 * 60);
    clock.step(60 * 60_000 - 90_000);
    expect([await send(), await send(), await send(), await send(), await send()]).toEqual([
      200, 200, 200, 200, 429,
    ]);
  });

  it("is asked for with the same answer when nobody has the identifier, and then goes nowhere", async () => {
    const person = await TestPerson.register(api, { email: "known@example.org" });
    const shape = async (identifier: string) => {
      const { status, body } = await post("login-otp", { identifier });
      return { status, ...(body.data as object), requestId: "" };
    };
    expect(await shape("kidding@example.org")).toEqual(await shape(person.email));
    expect(await api.messagesTo("kidding@example.org")).toEqual([]);
  });

  it("is stored as a hash only", async () => {
    const person = await TestPerson.register(api);
    const requestId = await requestCode(person.email);
    const row = await api.database.db
      .selectFrom("one_time_codes")
      .selectAll()
      .where("id", "=", requestId)
      .executeTakeFirstOrThrow();
    expect(row.code_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(await person.lastCode());
  });

  it("takes from a squatter the password they set on an address that is not theirs", async () => {
    const squatter = await TestPerson.register(api);
    const requestId = await requestCode(squatter.email);
    expect((await verify(requestId, await squatter.lastCode())).status).toBe(200);
    expect((await squatter.logIn()).status).toBe(401);
    expect((await squatter.call("GET", "/api/auth/me")).status).toBe(401);
    expect((await api.messagesTo(squatter.email))[0]?.subject).toBe("Your Parley account is verified");
  });
});
