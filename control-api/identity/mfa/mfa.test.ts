import { generate } from "otplib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { PASSWORD, TestPerson } from "../../../testkit/person.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";
import { beginTotp, findTotp, useStep } from "./store.ts";
import { stepOf } from "./totp.ts";

/** RFC 6238, appendix B, SHA-1; the last six of its eight digits. */
const VECTORS: readonly (readonly [seconds: number, code: string])[] = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
];
/** "12345678901234567890" in base32. */
const VECTOR_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

describe("TOTP", () => {
  it.each(VECTORS)("at %d s is %s (RFC 6238)", async (seconds, code) => {
    const at = { secret: VECTOR_SECRET, nowMs: seconds * 1_000, afterStep: null };
    expect(await stepOf(code, at)).toBe(Math.floor(seconds / 30));
  });

  it.each([
    [-60, undefined],
    [-30, 37_037_035],
    [0, 37_037_036],
    [30, 37_037_037],
    [60, undefined],
  ])("of a clock that is %d s off is step %s", async (offSecs, step) => {
    const now = 37_037_036 * 30 + 15;
    const code = await generate({ secret: VECTOR_SECRET, epoch: now + offSecs });
    expect(await stepOf(code, { secret: VECTOR_SECRET, nowMs: now * 1_000, afterStep: null })).toBe(step);
  });

  it("at or before the last used step is none", async () => {
    const nowMs = 37_037_036 * 30_000;
    const code = await generate({ secret: VECTOR_SECRET, epoch: nowMs / 1_000 });
    expect(await stepOf(code, { secret: VECTOR_SECRET, nowMs, afterStep: 37_037_036 })).toBeUndefined();
    expect(await stepOf(code, { secret: VECTOR_SECRET, nowMs, afterStep: 37_037_035 })).toBe(37_037_036);
  });

  it.each(["", "12345", "1234567", "28708a", "２８７０８２", " 287082"])("is not %j", async (code) => {
    expect(await stepOf(code, { secret: VECTOR_SECRET, nowMs: 59_000, afterStep: null })).toBeUndefined();
  });
});

describe("a second factor", () => {
  let api: TestControlApi;
  let clock: SteppingClock;
  beforeAll(async () => {
    clock = new SteppingClock();
    api = await TestControlApi.start({ clock });
  });
  afterAll(() => api.close());

  const post = (path: string, body: unknown) => api.call("POST", `/api/auth/${path}`, { body });

  /** Somebody with the factor on, at the beginning of a step that is still unused. */
  async function enrolled() {
    const person = await TestPerson.register(api);
    const setup = (await person.call("POST", "/api/auth/mfa/setup")).body.data as Record<string, string>;
    const code = (offMs = 0) =>
      generate({ secret: setup.secret ?? "", epoch: Math.floor((clock.wallMs() + offMs) / 1_000) });
    const verified = await person.call("POST", "/api/auth/mfa/verify", { code: await code() });
    clock.step(30_000);
    const { recoveryCodes } = verified.body.data as { recoveryCodes: string[] };
    return { person, setup, code, recoveryCodes };
  }

  it("is set up with a URI, a picture of it and ten recovery codes", async () => {
    const { person, setup, recoveryCodes } = await enrolled();
    const uri = new URL(setup.otpauthUri ?? "");
    expect(uri.protocol).toBe("otpauth:");
    expect(uri.searchParams.get("secret")).toBe(setup.secret);
    expect(decodeURIComponent(uri.pathname)).toContain(`Parley:${person.email}`);
    expect(setup.qrCode).toMatch(/^data:image\/png;base64,/);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await person.call("GET", "/api/auth/me")).body.data).toMatchObject({ mfaEnabled: true });
    expect((await person.call("POST", "/api/auth/mfa/setup")).status).toBe(409);
  });

  it("is asked for with 401 mfa_required and no tokens", async () => {
    const { person } = await enrolled();
    const answer = await person.logIn();
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ success: false, error: "mfa_required", code: "mfa_required" });
  });

  it("lets in by totpCode on login, or by the challenge, also with the blanks that apps show", async () => {
    const { person, code } = await enrolled();
    const withBlanks = async () => (await code()).replace(/^(...)(...)$/, " $1 $2 ");
    expect((await person.logIn({ totpCode: await withBlanks() })).body.data).toMatchObject({
      user: { mfaEnabled: true },
    });
    clock.step(30_000);
    const challenged = await post("mfa/challenge", {
      email: person.email,
      password: PASSWORD,
      code: await withBlanks(),
    });
    expect(challenged.body.data).toMatchObject({ tokens: { accessToken: expect.any(String) } });
  });

  it("takes a code once, also when five show it at once", async () => {
    const { person, code } = await enrolled();
    const totpCode = await code();
    const answers = await Promise.all(Array.from({ length: 5 }, () => person.logIn({ totpCode })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await person.logIn({ totpCode })).body).toMatchObject({ code: "code_invalid" });
  });

  it("is not turned on for a secret that was replaced while its code was checked", async () => {
    const { userId } = await TestPerson.register(api);
    const { db } = api.database;
    const at = new Date(clock.wallMs());
    const confirm = (secretSealed: string) => useStep(db, { userId, secretSealed, step: 1, confirmAt: at });
    await beginTotp(db, { userId, secretSealed: "first", at });
    await beginTotp(db, { userId, secretSealed: "second", at });
    expect(await confirm("first")).toBe(false);
    expect(await findTotp(db, userId)).toMatchObject({ confirmedAt: null, lastStep: null });
    expect(await confirm("second")).toBe(true);
  });

  it("does not take the code of the step before a used one", async () => {
    const { person, code } = await enrolled();
    clock.step(30_000);
    expect((await person.logIn({ totpCode: await code() })).status).toBe(200);
    expect((await person.logIn({ totpCode: await code(-30_000) })).status).toBe(401);
  });

  it("takes each recovery code once, however it is typed", async () => {
    const { person, recoveryCodes } = await enrolled();
    const recoveryCode = recoveryCodes[0]?.toUpperCase().replaceAll("-", " ");
    expect((await person.logIn({ recoveryCode })).status).toBe(200);
    expect((await person.logIn({ recoveryCode })).status).toBe(401);
  });

  it("is asked for after a one-time code, which is not used up by that", async () => {
    const { person, code } = await enrolled();
    const sent = (await post("login-otp", { identifier: person.email })).body.data as { requestId: string };
    const body = { requestId: sent.requestId, code: await person.lastCode() };
    for (let i = 0; i < 6; i++)
      expect((await post("login-otp/verify", body)).body.data).toEqual({ status: "mfa_required" });
    const answer = await post("login-otp/verify", { ...body, totpCode: await code() });
    expect(answer.body.data).toMatchObject({ status: "login", user: { email: person.email } });
  });

  it("shown beside a first code says who set the account up: nothing of it is taken away", async () => {
    const { person, code } = await enrolled();
    const sent = (await post("login-otp", { identifier: person.email })).body.data as { requestId: string };
    const body = { requestId: sent.requestId, code: await person.lastCode(), totpCode: await code() };
    const answer = await post("login-otp/verify", body);
    expect(answer.body.data).toMatchObject({ status: "login", user: { verified: true } });
    expect((await person.call("POST", "/api/auth/mfa/disable", { password: PASSWORD })).status).toBe(200);
    expect((await person.logIn()).status).toBe(200);
  });

  it("locks after ten wrong codes of an account, whichever way they come", async () => {
    const { person, code } = await enrolled();
    const wrong = (await code()) === "000000" ? "000001" : "000000";
    for (let i = 0; i < 10; i++) expect((await person.logIn({ totpCode: wrong })).status).toBe(401);
    const refused = await person.logIn({ totpCode: await code() });
    expect(refused).toMatchObject({ status: 429, body: { details: { limit: "second_factor_per_account" } } });
    expect(refused.headers.get("retry-after")).not.toBeNull();
  });

  it("is turned off with the password only", async () => {
    const { person } = await enrolled();
    const disable = (password: string) => person.call("POST", "/api/auth/mfa/disable", { password });
    expect((await disable("wrong")).status).toBe(401);
    const unsaid = await person.call("POST", "/api/auth/mfa/disable", {});
    expect(unsaid).toMatchObject({
      status: 400,
      body: { details: { fields: { password: "is required" } } },
    });
    expect((await disable(PASSWORD)).status).toBe(200);
    expect((await person.logIn()).status).toBe(200);
  });

  it("that was never confirmed asks for nothing, and can be set up again", async () => {
    const person = await TestPerson.register(api);
    const first = (await person.call("POST", "/api/auth/mfa/setup")).body.data as { secret: string };
    expect((await person.logIn()).status).toBe(200);
    const second = (await person.call("POST", "/api/auth/mfa/setup")).body.data as { secret: string };
    expect(second.secret).not.toBe(first.secret);
  });

  it("is stored sealed", async () => {
    const { setup, person } = await enrolled();
    const row = await api.database.db
      .selectFrom("mfa_totp")
      .selectAll()
      .where("user_id", "=", person.userId)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(setup.secret);
  });
});
