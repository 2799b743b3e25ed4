import { systemClock } from "@parley/shared/clock.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { createTicketSigner } from "@parley/shared/security/tickets.ts";
import {
  base64url,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importPKCS8,
  SignJWT,
} from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { TestPerson } from "../../testkit/person.ts";

const SECRETS_KEY = `test:${Buffer.alloc(32, 7).toString("base64")}`;

let api: TestControlApi;
let person: TestPerson;
let ours: Record<string, string>;
let stolen: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  api = await TestControlApi.start({ secretsKey: SECRETS_KEY });
  person = await TestPerson.register(api);
  const { body } = await api.call("GET", "/.well-known/jwks.json");
  ours = (body.keys as Record<string, string>[])[0] ?? {};
  stolen = await generateKeyPair("EdDSA", { extractable: true });
});
afterAll(() => api.close());

const json = (value: unknown): string => base64url.encode(JSON.stringify(value));
const claims = () => decodeJwt(person.accessToken);
const header = () => decodeProtectedHeader(person.accessToken);
const parts = () => person.accessToken.split(".") as [string, string, string];
const hmac = (secret: Uint8Array) =>
  new SignJWT(claims()).setProtectedHeader({ ...header(), alg: "HS256" }).sign(secret);
const forged = (extra: object) =>
  new SignJWT(claims()).setProtectedHeader({ ...header(), alg: "EdDSA", ...extra }).sign(stolen.privateKey);

/** Signed by our own key, as a token of another kind, place or time would be. */
async function ownKey(change: { claims?: object; header?: object; expiresInSecs?: number }): Promise<string> {
  const row = await api.database.db.selectFrom("signing_keys").selectAll().executeTakeFirstOrThrow();
  const pem = new SecretBox(SECRETS_KEY).open(row.private_sealed, `signing-key:${row.kid}`);
  const nowSecs = Math.floor(Date.now() / 1_000);
  return new SignJWT({ ...claims(), ...change.claims, exp: nowSecs + (change.expiresInSecs ?? 300) })
    .setProtectedHeader({ ...header(), alg: "EdDSA", ...change.header })
    .sign(await importPKCS8(pem, "EdDSA"));
}

/** The playbook of RFC 8725 and of jwt_tool. */
const FORGERIES: readonly (readonly [string, () => string | Promise<string>])[] = [
  ["alg none", () => `${json({ ...header(), alg: "none" })}.${parts()[1]}.`],
  ["alg None, with the signature", () => `${json({ ...header(), alg: "None" })}.${parts()[1]}.${parts()[2]}`],
  ["alg nOnE", () => `${json({ ...header(), alg: "nOnE" })}.${parts()[1]}.`],
  ["HS256 with the public key's bytes", () => hmac(base64url.decode(ours.x ?? ""))],
  ["HS256 with the public key's text", () => hmac(new TextEncoder().encode(JSON.stringify(ours)))],
  ["HS256 with an empty-looking key", () => hmac(new Uint8Array(32))],
  ["another key under our kid", () => forged({})],
  ["another key under a kid of its own", () => forged({ kid: "mine" })],
  ["no kid", () => forged({ kid: undefined })],
  ["a kid that is a path", () => forged({ kid: "../../dev/null" })],
  ["a kid that is SQL", () => forged({ kid: "' or 1=1 --" })],
  ["its own key in the header", async () => forged({ jwk: await exportJWK(stolen.publicKey) })],
  ["an address of keys in the header", () => forged({ jku: "http://127.0.0.1:1/jwks", kid: "mine" })],
  ["a certificate in the header", () => forged({ x5c: ["MIIB"] })],
  [
    "a critical extension nobody knows",
    () => `${json({ ...header(), crit: ["x"], x: 1 })}.${parts()[1]}.${parts()[2]}`,
  ],
  [
    "other claims under the signature",
    () => `${parts()[0]}.${json({ ...claims(), sub: "usr_other" })}.${parts()[2]}`,
  ],
  [
    "a longer life under the signature",
    () => `${parts()[0]}.${json({ ...claims(), exp: 9_999_999_999 })}.${parts()[2]}`,
  ],
  ["another signature", () => `${parts()[0]}.${parts()[1]}.${base64url.encode(new Uint8Array(64))}`],
  ["no signature", () => `${parts()[0]}.${parts()[1]}.`],
  ["two parts", () => `${parts()[0]}.${parts()[1]}`],
  ["four parts", () => `${person.accessToken}.x`],
  ["no parts", () => ".."],
  ["no token", () => "x"],
  ["12,000 characters", () => "x".repeat(12_000)],
  ["our signature for another audience", () => ownKey({ claims: { aud: "parley-gateway" } })],
  ["our signature for several audiences", () => ownKey({ claims: { aud: ["parley-gateway", "x"] } })],
  ["our signature and another issuer", () => ownKey({ claims: { iss: "https://evil.example" } })],
  ["our signature and another type", () => ownKey({ header: { typ: "ticket+jwt" } })],
  ["our signature and no type", () => ownKey({ header: { typ: undefined } })],
  ["our signature and no session", () => ownKey({ claims: { sid: undefined } })],
  ["our signature and somebody else's session", () => ownKey({ claims: { sub: "usr_other" } })],
  ["our signature and a session that is none", () => ownKey({ claims: { sid: "sid_none" } })],
  [
    "a call ticket of ours",
    () =>
      createTicketSigner({ privateKeyPem: api.keys.privateKeyPem, clock: systemClock }).sign({
        sessionId: "ses_1",
        orgId: "org_1",
        kind: "call",
      }),
  ],
];

describe("an access token", () => {
  it.each(FORGERIES)("with %s is token_invalid", async (_, forge) => {
    const answer = await api.call("GET", "/api/auth/me", { token: await forge() });
    expect(answer).toMatchObject({ status: 401, body: { success: false, code: "token_invalid" } });
  });

  it("that our key signed is good, and too old it is token_expired: the refusals above are for what they say", async () => {
    const good = await api.call("GET", "/api/auth/me", { token: await ownKey({}) });
    expect(good.status).toBe(200);
    const old = await api.call("GET", "/api/auth/me", { token: await ownKey({ expiresInSecs: -1 }) });
    expect(old).toMatchObject({ status: 401, body: { code: "token_expired" } });
  });

  it("is good as it was given, so that the refusals above mean something", async () => {
    expect((await person.call("GET", "/api/auth/me")).status).toBe(200);
  });

  it.each(["Basic abc", "Bearer", "Bearer a b", "Token x", "bearer\tx"])(
    "sent as %j is refused",
    async (authorization) => {
      const answer = await api.call("GET", "/api/auth/me", { headers: { authorization } });
      expect(answer.status).toBe(401);
    },
  );

  it("is the same whatever the case of the scheme", async () => {
    const headers = { AUTHORIZATION: `bearer ${person.accessToken}` };
    expect((await api.call("GET", "/api/auth/me", { headers })).status).toBe(200);
  });
});
