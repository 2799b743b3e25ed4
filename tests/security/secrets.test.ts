import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { createOrganization } from "../../testkit/organization.ts";
import { PASSWORD, TestPerson } from "../../testkit/person.ts";

let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start();
});
afterAll(() => api.close());

it("no secret that was given out is in the log, the audit, or in clear in the database", async () => {
  const person = await TestPerson.register(api);
  const secrets: string[] = [PASSWORD, person.accessToken, person.refreshToken, await person.lastCode()];
  const mfa = await person.enableMfa();
  secrets.push(mfa.secret, ...mfa.recoveryCodes, await mfa.code());
  const signedIn = await person.logIn({ totpCode: await mfa.code() });
  const { tokens } = signedIn.body.data as { tokens: { accessToken: string; refreshToken: string } };
  secrets.push(tokens.accessToken, tokens.refreshToken);
  await api.call("POST", "/api/auth/refresh", { body: { refreshToken: tokens.refreshToken } });
  await api.call("POST", "/api/auth/forgot-password", { body: { email: person.email } });
  await person.verify();
  await person.call("POST", `/api/orgs/${person.orgId}/invitations`, {
    email: "guest@example.com",
    role: "viewer",
  });
  for (const to of [person.email, "guest@example.com"]) {
    const [message] = await api.messagesTo(to);
    secrets.push(/#token=(\S+)/.exec(message?.text ?? "")?.[1] ?? "missing");
  }
  const key = await person.call("POST", `/api/orgs/${person.orgId}/api-keys`, { name: "server" });
  secrets.push((key.body.data as { secret: string }).secret);
  const { keys, agentId } = await createOrganization(api.database);
  const minted = await api.call("POST", "/api/client-tokens", { key: keys.owner, body: { agentId } });
  secrets.push((minted.body.data as { token: string }).token);
  for (const secret of secrets) {
    await api.call("POST", "/api/auth/login", { body: { email: person.email, password: secret } });
    await api.call("GET", `/api/v1/me?token=${encodeURIComponent(secret)}`, { key: secret, token: secret });
  }

  const audit = await person.call("GET", `/api/orgs/${person.orgId}/audit?limit=200`);
  const rows: unknown[] = [];
  for (const table of [
    "users",
    "user_sessions",
    "refresh_tokens",
    "one_time_codes",
    "password_resets",
    "mfa_totp",
    "mfa_recovery_codes",
    "invitations",
    "api_keys",
    "client_tokens",
    "signing_keys",
    "audit_events",
  ] as const) {
    rows.push(...(await api.database.db.selectFrom(table).selectAll().execute()));
  }
  const places = { log: api.logged.join(""), audit: audit.text, database: JSON.stringify(rows) };
  for (const [place, text] of Object.entries(places)) {
    // Where nothing goes wrong the log may be empty.
    if (place !== "log") expect(text.length).toBeGreaterThan(100);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5);
      // Six digits can be part of an id by chance; as a word of their own they are the code.
      const isThere = secret.length > 6 ? text.includes(secret) : new RegExp(`\\b${secret}\\b`).test(text);
      expect(isThere, `${secret.slice(0, 12)}… in the ${place}`).toBe(false);
    }
  }
});
