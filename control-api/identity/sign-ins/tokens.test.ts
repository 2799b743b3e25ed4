import { createLogger } from "@parley/shared/log.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { decodeProtectedHeader, importJWK, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { needs } from "../../../testkit/needs.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";
import { startTwoApis } from "../../../testkit/two-apis.ts";
import { SigningKeys } from "./signing-keys.ts";

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const refresh = (api: TestControlApi, refreshToken: string) =>
  api.call("POST", "/api/auth/refresh", { body: { refreshToken } });
const pairOf = (answer: { body: Record<string, unknown> }) => (answer.body.data as { tokens: Pair }).tokens;

describe("a refresh token", () => {
  let api: TestControlApi;
  let clock: SteppingClock;
  beforeAll(async () => {
    clock = new SteppingClock();
    api = await TestControlApi.start({ clock });
  });
  afterAll(() => api.close());

  it("is exchanged for a new pair", async () => {
    const person = await TestPerson.register(api);
    clock.step(16 * 60_000);
    expect((await person.call("GET", "/api/auth/me")).body).toMatchObject({ code: "token_expired" });
    const { accessToken, refreshToken } = pairOf(await refresh(api, person.refreshToken));
    expect(refreshToken).not.toBe(person.refreshToken);
    expect((await api.call("GET", "/api/auth/me", { token: accessToken })).status).toBe(200);
  });

  it("is exchanged for a new pair with the account whose it is, for a page that begins", async () => {
    const person = await TestPerson.register(api);
    const resumed = await api.call("POST", "/api/auth/resume", {
      body: { refreshToken: person.refreshToken },
    });
    const { tokens, me } = resumed.body.data as { tokens: Pair; me: object };
    expect(resumed.headers.get("cache-control")).toBe("no-store");
    expect(tokens.refreshToken).not.toBe(person.refreshToken);
    const read = await api.call("GET", "/api/auth/me", { token: tokens.accessToken });
    expect(me).toEqual(read.body.data);
    const refused = await api.call("POST", "/api/auth/resume", { body: { refreshToken: "parley_rt_none" } });
    expect(refused).toMatchObject({ status: 401, body: { code: "token_invalid" } });
  });

  it("is told from every other kind of token: those are a 401", async () => {
    const person = await TestPerson.register(api);
    const wrong = [
      person.accessToken,
      "parley_ct_x",
      "parley_live_x",
      "x",
      "parley_rt_unknown",
      "x".repeat(9_000),
    ];
    for (const token of wrong) {
      expect(await refresh(api, token)).toMatchObject({ status: 401, body: { code: "token_invalid" } });
    }
    expect((await refresh(api, person.accessToken)).body.error).toContain("not a refresh token");
  });

  it("gives the same successor to whoever tries again within 10 s, so that two tabs stay signed in", async () => {
    const person = await TestPerson.register(api);
    const first = pairOf(await refresh(api, person.refreshToken));
    clock.step(9_000);
    const second = pairOf(await refresh(api, person.refreshToken));
    expect(second.refreshToken).toBe(first.refreshToken);
    expect((await refresh(api, first.refreshToken)).status).toBe(200);
  });

  it("used again later ends the whole sign-in", async () => {
    const person = await TestPerson.register(api);
    const { accessToken, refreshToken } = pairOf(await refresh(api, person.refreshToken));
    clock.step(10_001);
    expect(await refresh(api, person.refreshToken)).toMatchObject({
      status: 401,
      body: { code: "token_invalid" },
    });
    expect((await refresh(api, refreshToken)).status).toBe(401);
    expect((await api.call("GET", "/api/auth/me", { token: accessToken })).status).toBe(401);
  });

  it("ends after 30 days without use, and after 90 days whatever is done", async () => {
    const idle = await TestPerson.register(api);
    const busy = await TestPerson.register(api);
    let { refreshToken } = busy;
    for (let day = 0; day < 89; day += 29) {
      clock.step(29 * 86_400_000);
      if (day === 29) expect((await refresh(api, idle.refreshToken)).status).toBe(401);
      const answer = await refresh(api, refreshToken);
      expect(answer.status).toBe(day < 87 ? 200 : 401);
      if (answer.status === 200) refreshToken = pairOf(answer).refreshToken;
    }
  });

  it("is nobody's after logging out, as is the access token", async () => {
    const person = await TestPerson.register(api);
    expect((await person.call("POST", "/api/auth/logout")).status).toBe(200);
    expect((await person.call("GET", "/api/auth/me")).body).toMatchObject({ code: "token_invalid" });
    expect((await refresh(api, person.refreshToken)).status).toBe(401);
  });
});

describe("the signing keys", () => {
  it("are published, and verify access tokens for others", async () => {
    const api = await TestControlApi.start();
    const person = await TestPerson.register(api);
    const jwks = await api.call("GET", "/.well-known/jwks.json");
    expect(jwks.headers.get("cache-control")).toBe("public, max-age=300");
    const { kid } = decodeProtectedHeader(person.accessToken);
    const keys = jwks.body.keys as Record<string, string>[];
    const key = keys.find((published) => published.kid === kid);
    expect(Object.keys(key ?? {})).not.toContain("d");
    const { payload } = await jwtVerify(person.accessToken, await importJWK(key ?? {}, "EdDSA"));
    expect(payload.sub).toBe(person.userId);
    await api.close();
  });

  it("rotate without refusing anybody: published before they sign, kept after", async () => {
    const api = await TestControlApi.start();
    const clock = new SteppingClock();
    const secretsKey = `k:${Buffer.alloc(32, 1).toString("base64")}`;
    await api.database.db.deleteFrom("signing_keys").execute();
    const open = () =>
      SigningKeys.open({
        database: api.database,
        secrets: new SecretBox(secretsKey),
        clock,
        log: createLogger({ level: "silent", format: "json", name: "test" }),
      });
    const [signer, verifier] = [await open(), await open()];
    const old = signer.current().kid;
    await signer.rotate();
    expect(signer.jwks().keys).toHaveLength(2);
    expect(signer.current().kid).toBe(old);
    clock.step(10 * 60_000);
    const fresh = signer.current().kid;
    expect(fresh).not.toBe(old);
    // Another node has not looked since, and finds the key when it meets it.
    await expect.poll(() => verifier.publicKey(fresh), { timeout: 90_000 }).toBeDefined();
    expect(await verifier.publicKey(old)).toBeDefined();
    clock.step(2 * 86_400_000);
    await expect.poll(async () => (await open()).jwks().keys).toHaveLength(1);
    signer.close();
    verifier.close();
    await api.close();
  });
});

describe.runIf(needs("redis") && needs("postgres"))("on two nodes", () => {
  let nodes: Awaited<ReturnType<typeof startTwoApis>>;
  beforeAll(async () => {
    nodes = await startTwoApis();
  });
  afterAll(() => nodes.close());

  it("fifty refreshes at once give one successor, and nobody is signed out", async () => {
    const { one, other } = nodes;
    const person = await TestPerson.register(one);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => refresh(i % 2 === 0 ? one : other, person.refreshToken)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = new Set(answers.map((answer) => pairOf(answer).refreshToken));
    expect(successors.size).toBe(1);
    expect((await refresh(other, [...successors][0] ?? "")).status).toBe(200);
  });

  it("a sign-in that ends on the one ends on the other at once", async () => {
    const { one, other } = nodes;
    const person = await TestPerson.register(one);
    const elsewhere = () => other.call("GET", "/api/auth/me", { token: person.accessToken });
    expect((await elsewhere()).status).toBe(200);
    await person.call("POST", "/api/auth/logout");
    await expect.poll(async () => (await elsewhere()).status).toBe(401);
  });

  it("a token that the one signed is good on the other", async () => {
    const { one, other } = nodes;
    const person = await TestPerson.register(one);
    const again = await other.call("POST", "/api/auth/refresh", {
      body: { refreshToken: person.refreshToken },
    });
    expect((await one.call("GET", "/api/auth/me", { token: pairOf(again).accessToken })).status).toBe(200);
  });
});
