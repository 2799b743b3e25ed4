import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installApp } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { PASSWORD, TestPerson } from "../../../testkit/person.ts";
import { PASSWORD_COST } from "./passwords.ts";

let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true, passwordCost: PASSWORD_COST });
});
afterAll(() => api.close());

const post = (path: string, body: unknown) => api.call("POST", `/api/auth/${path}`, { body });

describe("lookup", () => {
  it.each([
    [{ identifier: " Nobody@Example.COM " }, "nobody@example.com", "email"],
    [{ email: "nobody@example.com" }, "nobody@example.com", "email"],
    [{ phone: "+31 6 1234 5678" }, "+31612345678", "phone"],
    [{ mobile: "0031-612345678" }, "+31612345678", "phone"],
  ])("normalizes %j", async (body, identifier, channel) => {
    const answer = await post("lookup", body);
    expect(answer.body).toEqual({
      success: true,
      data: { status: "signup", identifier, channel, selfSignupEnabled: true },
    });
  });

  it("asks for the password of an account, and calls a deactivated one unavailable", async () => {
    const person = await TestPerson.register(api);
    const status = async () => (await post("lookup", { identifier: person.email })).body.data;
    expect(await status()).toMatchObject({ status: "password" });
    await person.call("POST", "/api/auth/deactivate", { password: PASSWORD });
    expect(await status()).toMatchObject({ status: "unavailable" });
  });

  it.each([{}, { identifier: "a@b.example", email: "a@b.example" }, { identifier: "" }, { name: "a" }])(
    "refuses %j by name",
    async (body) => {
      const answer = await post("lookup", body);
      expect(answer).toMatchObject({ status: 400, body: { success: false, code: "validation_failed" } });
    },
  );

  it.each([
    "no address",
    "a@b",
    "a@-x.com",
    "a b@example.com",
    "06-1234",
    "+1",
    "a@example.com\nbcc:x@y.z",
    "@",
    "é@x.fr",
  ])("says how an identifier is written instead of %j", async (identifier) => {
    const answer = await post("lookup", { identifier });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(/name@example.com|\+31612345678/);
  });
});

describe("register", () => {
  it("makes an account with an organization of its own, signed in", async () => {
    const answer = await post("register", { email: "Ann@Example.com", password: PASSWORD, name: "Ann" });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      user: { email: "ann@example.com", role: "owner", verified: false, mfaEnabled: false },
      tokens: { accessToken: expect.any(String), refreshToken: expect.any(String) },
      organization: { name: "Ann's organization" },
      verification: { channel: "email", destinationHint: "a•••@example.com", expiresInMinutes: 10 },
    });
  });

  it("takes a mobile number", async () => {
    const answer = await post("register", { mobile: "+31 6 8765 4321", password: PASSWORD });
    expect(answer.body.data).toMatchObject({ user: { email: null, mobile: "+31687654321" } });
    expect((await api.messagesTo("+31687654321"))[0]?.text).toContain("Your Parley code is");
    const login = await post("login", { phone: "+31687654321", password: PASSWORD });
    expect(login.status).toBe(200);
  });

  it("goes on whatever somebody had sent to the address before, and sends its code besides codes to sign in", async () => {
    const host = await TestPerson.registerVerified(api);
    const invite = (email: string) =>
      host.call("POST", `/api/orgs/${host.orgId}/invitations`, { email, role: "viewer" });
    const register = async (email: string) =>
      (await post("register", { email, password: PASSWORD })).body.data;
    for (let i = 0; i < 5; i++) await post("login-otp", { email: "pestered@example.com" });
    expect(await register("pestered@example.com")).toMatchObject({ verification: { channel: "email" } });
    for (let i = 0; i < 5; i++) expect((await invite("invited@example.com")).status).toBe(201);
    expect(await register("invited@example.com")).toMatchObject({ verification: null });
  });

  it("refuses an identifier that somebody has", async () => {
    const { email } = await TestPerson.register(api);
    const answer = await post("register", { email: email.toUpperCase(), password: PASSWORD });
    expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it("lets one of fifty that register the same identifier at once have it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post("register", { email: "race@example.com", password: PASSWORD })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it.each([
    ["short", "at least 8"],
    ["Password123", "too easy to guess"],
    ["weak@example.com", "must not be your"],
    ["x".repeat(257), "at most 256"],
  ])("refuses the password %j", async (password, why) => {
    const answer = await post("register", { email: "weak@example.com", password });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(why);
  });

  it("takes a long password whole", async () => {
    const email = "long@example.com";
    await post("register", { email, password: "x".repeat(256) });
    expect((await post("login", { email, password: "x".repeat(255) })).status).toBe(401);
    expect((await post("login", { email, password: "x".repeat(256) })).status).toBe(200);
  });

  it("is off where it is turned off, but for those who are invited", async () => {
    const closed = await TestControlApi.start({ env: { SELF_SIGNUP: "false" } });
    const body = { email: "a@example.com", password: PASSWORD };
    expect(await closed.call("POST", "/api/auth/register", { body })).toMatchObject({ status: 403 });
    const looked = await closed.call("POST", "/api/auth/lookup", { body: { identifier: "a@example.com" } });
    expect(looked.body.data).toMatchObject({ status: "signup", selfSignupEnabled: false });
    await closed.close();
  });
});

describe("login", () => {
  it("answers a wrong password and an unknown account alike", async () => {
    const person = await TestPerson.register(api);
    const wrong = await person.logIn({ password: "not the password" });
    const unknown = await post("login", { email: "nobody@example.com", password: "not the password" });
    expect(wrong.status).toBe(401);
    expect(unknown.text).toBe(wrong.text);
  });

  it("lets no deactivated account in, with the same answer", async () => {
    const person = await TestPerson.register(api);
    expect((await person.call("POST", "/api/auth/deactivate", { password: PASSWORD })).status).toBe(200);
    expect((await person.logIn()).body).toMatchObject({ code: "credentials_invalid" });
    expect((await person.call("GET", "/api/auth/me")).body).toMatchObject({ code: "token_invalid" });
  });

  it("keeps no answer with tokens in any cache", async () => {
    const person = await TestPerson.register(api);
    expect((await person.logIn()).headers.get("cache-control")).toBe("no-store");
  });

  it("hashes a password again when it was hashed with weaker parameters", async () => {
    const { hash } = await import("@node-rs/argon2");
    const person = await TestPerson.register(api);
    const weak = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const users = () => api.database.db.updateTable("users").where("id", "=", person.userId);
    await users().set({ password_hash: weak }).execute();
    expect((await person.logIn()).status).toBe(200);
    const stored = await api.database.db
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", person.userId)
      .executeTakeFirstOrThrow();
    expect(stored.password_hash).toContain("m=19456,t=2,p=1");
  });
});

describe("a forgotten password", () => {
  async function resetToken(email: string): Promise<string> {
    await post("forgot-password", { email });
    const [message] = await api.messagesTo(email);
    return /#token=(\S+)/.exec(message?.text ?? "")?.[1] ?? "";
  }

  it("is replaced by the link of the mail, once, and every sign-in ends", async () => {
    const person = await TestPerson.register(api);
    const token = await resetToken(person.email);
    const password = "another good password";
    expect((await post("reset-password", { token, password })).status).toBe(200);
    expect((await person.call("GET", "/api/auth/me")).status).toBe(401);
    expect((await person.logIn()).status).toBe(401);
    expect((await person.logIn({ password })).status).toBe(200);
    expect(await post("reset-password", { token, password })).toMatchObject({
      status: 401,
      body: { code: "code_invalid" },
    });
  });

  it("is asked for with the same answer whether or not there is an account, and sends nothing to nobody", async () => {
    const person = await TestPerson.register(api);
    const known = await post("forgot-password", { email: person.email });
    const unknown = await post("forgot-password", { email: "stranger@example.com" });
    expect([known.status, unknown.text]).toEqual([200, known.text]);
    expect(await api.messagesTo("stranger@example.com")).toEqual([]);
  });

  it("makes older links worthless", async () => {
    const person = await TestPerson.register(api);
    const [older, newer] = [await resetToken(person.email), await resetToken(person.email)];
    await post("reset-password", { token: newer, password: "another good password" });
    expect((await post("reset-password", { token: older, password: "a third good one" })).status).toBe(401);
  });

  it("is not replaced by a link from before the password was changed", async () => {
    const person = await TestPerson.register(api);
    const token = await resetToken(person.email);
    const body = { currentPassword: PASSWORD, newPassword: "another good password" };
    await person.call("POST", "/api/auth/change-password", body);
    expect((await post("reset-password", { token, password: "a third good one" })).status).toBe(401);
  });

  it("takes from a squatter what they set up on an address that is not theirs", async () => {
    const squatter = await TestPerson.register(api, { email: "victim@example.com" });
    await squatter.enableMfa();
    const token = await resetToken("victim@example.com");
    const password = "the victim's own password";
    const key = await squatter.call("POST", `/api/orgs/${squatter.orgId}/api-keys`, { name: "left behind" });
    await post("reset-password", { token, password });
    expect((await squatter.call("GET", "/api/auth/me")).status).toBe(401);
    expect((await squatter.logIn({ password })).status).toBe(200);
    const { secret } = key.body.data as { secret: string };
    expect((await api.call("GET", "/api/v1/me", { key: secret })).status).toBe(401);
  });

  it("ends what would go on telling a squatter of the owner's calls: webhooks, and keys of apps' backends", async () => {
    const squatter = await TestPerson.register(api, { email: "owner@example.com" });
    const appId = await installApp(squatter, { scopes: ["agents:read"] });
    const key = await squatter.call("POST", `/api/orgs/${squatter.orgId}/apps/${appId}/keys`, { name: "x" });
    await squatter.call("POST", `/api/orgs/${squatter.orgId}/webhooks`, {
      url: "https://93.184.215.14/hook",
    });
    const password = "the owner's own password";
    await post("reset-password", { token: await resetToken("owner@example.com"), password });
    const owner = await squatter.logIn({ password });
    const { tokens } = owner.body.data as { tokens: { accessToken: string } };
    squatter.accessToken = tokens.accessToken;
    const listed = await squatter.call("GET", `/api/orgs/${squatter.orgId}/webhooks`);
    const disabled = { enabled: false, last_error: expect.stringContaining("not verified") };
    expect(listed.body).toMatchObject({ data: { webhooks: [disabled] } });
    const { secret } = key.body.data as { secret: string };
    expect((await api.call("GET", "/api/app-agents/x/public", { token: secret })).status).toBe(401);
    const told = await api.messagesTo("owner@example.com");
    expect(told[0]?.text).toContain("keys, webhooks and invitations no longer work. Check who is in");
  });
});

describe("an account", () => {
  it("is proven by the code that was sent on registering", async () => {
    const person = await TestPerson.register(api);
    const sent = (await person.call("POST", "/api/auth/verification/send")).body.data as {
      requestId: string;
    };
    const code = await person.lastCode();
    const verify = () => person.call("POST", "/api/auth/verification", { requestId: sent.requestId, code });
    expect((await verify()).status).toBe(200);
    expect((await verify()).status).toBe(401);
    expect((await person.call("GET", "/api/auth/me")).body.data).toMatchObject({ verified: true });
    expect((await person.call("POST", "/api/auth/verification/send")).status).toBe(409);
  });

  it("is not proven by somebody else's code", async () => {
    const [person, other] = [await TestPerson.register(api), await TestPerson.register(api)];
    const sent = (await person.call("POST", "/api/auth/verification/send")).body.data as {
      requestId: string;
    };
    const body = { requestId: sent.requestId, code: await person.lastCode() };
    expect((await other.call("POST", "/api/auth/verification", body)).status).toBe(401);
    expect((await api.call("POST", "/api/auth/login-otp/verify", { body })).status).toBe(401);
  });

  it("changes its password with the old one; the other devices are signed out", async () => {
    const person = await TestPerson.register(api);
    const elsewhere = ((await person.logIn()).body.data as { tokens: { accessToken: string } }).tokens
      .accessToken;
    const change = (currentPassword: string) =>
      person.call("POST", "/api/auth/change-password", {
        currentPassword,
        newPassword: "another good password",
      });
    expect((await change("wrong")).body).toMatchObject({ code: "credentials_invalid" });
    expect((await change(PASSWORD)).status).toBe(200);
    expect((await api.call("GET", "/api/auth/me", { token: elsewhere })).status).toBe(401);
    expect((await person.call("GET", "/api/auth/me")).status).toBe(200);
    expect((await api.messagesTo(person.email))[0]?.subject).toContain("password was changed");
  });

  it("takes the keys it made with it when it is deactivated", async () => {
    const person = await TestPerson.register(api);
    const made = await person.call("POST", `/api/orgs/${person.orgId}/api-keys`, { name: "server" });
    const { secret } = made.body.data as { secret: string };
    expect((await api.call("GET", "/api/v1/me", { key: secret })).status).toBe(200);
    expect((await person.call("POST", "/api/auth/deactivate", {})).status).toBe(400);
    await person.call("POST", "/api/auth/deactivate", { password: PASSWORD });
    expect((await api.call("GET", "/api/v1/me", { key: secret })).status).toBe(401);
  });

  it("lists its sign-ins and ends one of them", async () => {
    const person = await TestPerson.register(api);
    const elsewhere = ((await person.logIn()).body.data as { tokens: { accessToken: string } }).tokens
      .accessToken;
    const { sessions } = (await person.call("GET", "/api/auth/sessions")).body.data as {
      sessions: { id: string; current: boolean; method: string }[];
    };
    expect(sessions.map(({ method, current }) => [method, current])).toEqual([
      ["password", false],
      ["register", true],
    ]);
    const other = sessions.find(({ current }) => !current)?.id;
    expect((await person.call("DELETE", `/api/auth/sessions/${other}`)).status).toBe(200);
    expect((await api.call("GET", "/api/auth/me", { token: elsewhere })).status).toBe(401);
    expect((await person.call("DELETE", `/api/auth/sessions/${other}`)).status).toBe(404);
  });

  it("cannot end somebody else's sign-in", async () => {
    const [person, other] = [await TestPerson.register(api), await TestPerson.register(api)];
    const { sessions } = (await other.call("GET", "/api/auth/sessions")).body.data as {
      sessions: { id: string }[];
    };
    expect((await person.call("DELETE", `/api/auth/sessions/${sessions[0]?.id}`)).status).toBe(404);
    expect((await other.call("GET", "/api/auth/me")).status).toBe(200);
  });
});
