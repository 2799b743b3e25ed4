import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { CLIENT_ID, CLIENT_SECRET, FakeIssuer, type Faults } from "../../../testkit/fakes/oidc-issuer.ts";
import { TestPerson } from "../../../testkit/person.ts";

let issuer: FakeIssuer;
let api: TestControlApi;
beforeAll(async () => {
  issuer = await FakeIssuer.start();
  const provider = {
    id: "acme",
    name: "Acme",
    issuer: issuer.url,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
  };
  api = await TestControlApi.start({
    env: {
      OIDC_PROVIDERS: JSON.stringify([provider, { ...provider, id: "gone", issuer: "http://127.0.0.1:9" }]),
    },
  });
});
beforeEach(() => {
  issuer.faults = {};
});
afterAll(async () => {
  await api.close();
  await issuer.close();
});

async function start() {
  const answer = await api.call("POST", "/api/auth/oidc/acme/start");
  return answer.body.data as { authorizeUrl: string; flowSecret: string };
}
const callback = (body: Record<string, unknown>) =>
  api.call("POST", "/api/auth/oidc/acme/callback", { body });

/** The whole way of a browser. */
async function signIn(overrides: Record<string, unknown> = {}) {
  const { authorizeUrl, flowSecret } = await start();
  const back = await issuer.authorize(authorizeUrl);
  const body = {
    code: back.searchParams.get("code"),
    state: back.searchParams.get("state"),
    flowSecret,
    ...overrides,
  };
  return { body, answer: await callback(body) };
}

describe("signing in through an identity provider", () => {
  it("lists the providers, and says whether there is a demo", async () => {
    const { body } = await api.call("GET", "/api/auth/oidc");
    expect(body.data).toEqual({
      providers: [
        { id: "acme", name: "Acme" },
        { id: "gone", name: "Acme" },
      ],
      demoOwner: "owner@parley.example",
    });
  });

  it("sends the browser off with PKCE, state and nonce, and back to a page of ours", async () => {
    const url = new URL((await start()).authorizeUrl);
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    for (const name of ["state", "nonce", "code_challenge"])
      expect(url.searchParams.get(name)?.length).toBeGreaterThan(30);
    expect(url.searchParams.get("redirect_uri")).toBe(`${api.api.baseUrl}/sign-in/oidc/acme`);
  });

  it("makes an account of a verified address, and finds it again by its subject", async () => {
    issuer.user = { sub: "new-1", email: "New@Example.com", email_verified: true, name: "New" };
    const first = (await signIn()).answer;
    expect(first.body.data).toMatchObject({
      user: { email: "new@example.com", name: "New", verified: true, role: "owner" },
    });
    issuer.user = { sub: "new-1", email: "moved@example.com", email_verified: true };
    const second = (await signIn()).answer;
    const idOf = (answer: typeof first) => (answer.body.data as { user: { id: string } }).user.id;
    expect(idOf(second)).toBe(idOf(first));
  });

  it("links the proven account of the same address", async () => {
    const person = await TestPerson.register(api);
    await api.database.db
      .updateTable("users")
      .set({ verified_at: new Date() })
      .where("id", "=", person.userId)
      .execute();
    issuer.user = { sub: "linked", email: person.email, email_verified: true };
    const { answer } = await signIn();
    expect(answer.body.data).toMatchObject({ user: { id: person.userId } });
    expect((await person.logIn()).status).toBe(200);
  });

  it("takes an account from a squatter who only knew the address", async () => {
    const squatter = await TestPerson.register(api);
    await squatter.enableMfa();
    issuer.user = { sub: "rightful", email: squatter.email, email_verified: true };
    expect((await signIn()).answer.status).toBe(200);
    expect((await squatter.call("GET", "/api/auth/me")).status).toBe(401);
    expect((await squatter.logIn()).status).toBe(401);
  });

  it("asks for the second factor of the account, which the challenge takes with a token", async () => {
    const person = await TestPerson.register(api);
    await api.database.db
      .updateTable("users")
      .set({ verified_at: new Date() })
      .where("id", "=", person.userId)
      .execute();
    const mfa = await person.enableMfa();
    issuer.user = { sub: "careful", email: person.email, email_verified: true };
    const { answer } = await signIn();
    expect(answer).toMatchObject({ status: 401, body: { error: "mfa_required" } });
    const { mfaToken } = answer.body.details as { mfaToken: string };
    const challenge = async (answer: { code: string } | { recoveryCode: string }) =>
      api.call("POST", "/api/auth/mfa/challenge", { body: { mfaToken, ...answer } });
    const code = await mfa.code();
    expect((await challenge({ code: code === "000000" ? "000001" : "000000" })).status).toBe(401);
    expect((await challenge({ code })).body.data).toMatchObject({ user: { id: person.userId } });
    expect((await challenge({ recoveryCode: mfa.recoveryCodes[0] ?? "" })).status).toBe(401);
  });

  it.each([[{ email: "a@example.com" }], [{ email: "a@example.com", email_verified: false }], [{}]])(
    "refuses an address that is not verified: %j",
    async (claims) => {
      issuer.user = { sub: "unverified", ...claims };
      expect((await signIn()).answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
    },
  );

  it.each<[string, Faults]>([
    ["another nonce", { nonce: "planted" }],
    ["another audience", { audience: "somebody-else" }],
    ["another issuer", { issuer: "https://evil.example" }],
    ["no signature", { algorithm: "none" }],
    ["a signature by a key the provider does not publish", { signedBy: "unpublished key" }],
    ["a time that is over", { expired: true }],
  ])("refuses an id token with %s", async (_, faults) => {
    issuer.user = { sub: "victim", email: "victim@example.com", email_verified: true };
    issuer.faults = faults;
    expect((await signIn()).answer).toMatchObject({ status: 401, body: { code: "code_invalid" } });
  });

  it("refuses a callback that is repeated, that another browser began, or that nobody began", async () => {
    issuer.user = { sub: "new-1" };
    const { body, answer } = await signIn();
    expect(answer.status).toBe(200);
    expect((await callback(body)).status).toBe(401);
    expect((await signIn({ flowSecret: "another browser's" })).answer.status).toBe(401);
    expect((await signIn({ state: "invented" })).answer.status).toBe(401);
    expect((await signIn({ code: "stolen" })).answer.status).toBe(401);
    expect((await signIn({ iss: "https://evil.example" })).answer.status).toBe(401);
  });

  it("says so when the provider is not there, or is none of ours", async () => {
    expect((await api.call("POST", "/api/auth/oidc/gone/start")).body).toMatchObject({
      code: "vendor_failed",
    });
    expect((await api.call("POST", "/api/auth/oidc/nobody/start")).status).toBe(404);
  });
});
