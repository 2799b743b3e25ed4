import { systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { needs } from "../../../testkit/needs.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { startTwoApis } from "../../../testkit/two-apis.ts";
import { AccessChanges } from "../../http/access/access-changes.ts";
import { KeyResolver } from "../../http/access/key-resolver.ts";

interface Created {
  readonly key: { readonly id: string; readonly last_four: string };
  readonly secret: string;
}

async function create(
  person: TestPerson,
  body: Record<string, unknown> = { name: "server" },
): Promise<Created> {
  const answer = await person.call("POST", `/api/orgs/${person.orgId}/api-keys`, body);
  return answer.body.data as Created;
}

describe("an API key", () => {
  let api: TestControlApi;
  let members: TestMembers;
  beforeAll(async () => {
    api = await TestControlApi.start();
    members = await TestMembers.create(api);
  });
  afterAll(() => api.close());

  it("has its documented fields, and its secret is shown once", async () => {
    const person = await TestPerson.register(api);
    const { key, secret } = await create(person);
    expect(secret).toMatch(/^parley_live_[\w-]{43}$/);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      org_id: person.orgId,
      name: "server",
      role: "developer",
      last_four: secret.slice(-4),
      created_by: person.userId,
      last_used_at: null,
      revoked_at: null,
      created_at: expect.any(String),
    });
    const listed = await person.call("GET", `/api/orgs/${person.orgId}/api-keys`);
    expect(listed.body.data).toEqual({ apiKeys: [key], total: 1 });
    expect(listed.text).not.toContain(secret);
  });

  it("is stored as a SHA-256 only", async () => {
    const person = await TestPerson.register(api);
    const { key, secret } = await create(person);
    const row = await api.database.db
      .selectFrom("api_keys")
      .selectAll()
      .where("id", "=", key.id)
      .executeTakeFirst();
    expect(row?.secret_hash).toBe(sha256Hex(secret));
  });

  it("notes when it was used last, within a second and with one statement for all requests of it", async () => {
    const { orgId, keys } = await api.createOrganization();
    const due: (() => void)[] = [];
    const every = (intervalMs: number, fn: () => void) => {
      if (intervalMs <= 1_000) due.push(fn);
      return () => undefined;
    };
    const log = createLogger({ level: "silent", format: "json", name: "test" });
    const changes = new AccessChanges({ channels: api.bus.channels, clock: systemClock, log });
    const clock = { ...systemClock, every };
    const resolver = new KeyResolver({ database: api.database, clock, log, changes });
    const principal = await resolver.resolve(keys.viewer);
    const lastUsed = async () => {
      const rows = api.database.db
        .selectFrom("api_keys")
        .select("last_used_at")
        .where("id", "=", principal.keyId);
      return (await rows.executeTakeFirstOrThrow()).last_used_at;
    };
    for (const _ of [1, 2]) {
      const before = (await lastUsed())?.getTime() ?? 0;
      resolver.markUsed(principal);
      resolver.markUsed(principal);
      for (const write of due) write();
      await expect.poll(async () => (await lastUsed())?.getTime()).toBeGreaterThan(before);
    }
    expect(orgId).toBe(principal.orgId);
    await resolver.close();
    await changes.close();
  });

  it("has no more rights than its maker", async () => {
    const { orgId, people } = members;
    const made = async (role: string) =>
      (await people.developer.call("POST", `/api/orgs/${orgId}/api-keys`, { name: "k", role }, orgId)).status;
    expect([await made("owner"), await made("admin"), await made("developer"), await made("viewer")]).toEqual(
      [403, 403, 201, 201],
    );
  });

  it("is refused with a word on what is wrong", async () => {
    const person = await TestPerson.register(api);
    const path = `/api/orgs/${person.orgId}/api-keys`;
    for (const [body, field] of [
      [{}, "name"],
      [{ name: "" }, "name"],
      [{ name: "x", role: "root" }, "role"],
      [{ name: "x", org_id: "org_other" }, "org_id"],
      [{ name: "x", revoked_at: null, created_by: "usr_other" }, "created_by"],
    ] as const) {
      const answer = await person.call("POST", path, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain(field);
    }
  });

  it("sent as an access token is refused with the header that it belongs in", async () => {
    const person = await TestPerson.register(api);
    const { secret } = await create(person);
    expect(await api.call("GET", `/api/orgs/${person.orgId}/calls`, { token: secret })).toMatchObject({
      status: 401,
      body: { code: "token_invalid", error: expect.stringContaining("X-API-Key header") },
    });
  });

  it("is revoked once, and stays in the list", async () => {
    const person = await TestPerson.register(api);
    const { key, secret } = await create(person);
    const revoke = () => person.call("DELETE", `/api/orgs/${person.orgId}/api-keys/${key.id}`);
    const first = (await revoke()).body.data as { key: { revoked_at: string } };
    expect((await api.call("GET", "/api/v1/me", { key: secret })).status).toBe(401);
    expect(((await revoke()).body.data as typeof first).key.revoked_at).toBe(first.key.revoked_at);
  });

  it("of another organization cannot be revoked", async () => {
    const [person, other] = [await TestPerson.register(api), await TestPerson.register(api)];
    const { key, secret } = await create(person);
    expect((await other.call("DELETE", `/api/orgs/${other.orgId}/api-keys/${key.id}`)).status).toBe(404);
    expect((await api.call("GET", "/api/v1/me", { key: secret })).status).toBe(200);
  });

  it("works whatever the case of its header", async () => {
    const { secret } = await create(await TestPerson.register(api));
    for (const name of ["X-API-Key", "x-api-key", "X-Api-KEY"])
      expect((await api.call("GET", "/api/v1/me", { headers: { [name]: secret } })).status).toBe(200);
  });
});

describe.runIf(needs("redis") && needs("postgres"))("on two nodes that remember keys for an hour", () => {
  let nodes: Awaited<ReturnType<typeof startTwoApis>>;
  beforeAll(async () => {
    nodes = await startTwoApis();
  });
  afterAll(() => nodes.close());

  it("a key that the one revokes stops on the other at once", async () => {
    const { one, other } = nodes;
    const person = await TestPerson.register(one);
    const { key, secret } = await create(person);
    const me = () => other.call("GET", "/api/v1/me", { key: secret });
    expect((await me()).status).toBe(200);
    await person.call("DELETE", `/api/orgs/${person.orgId}/api-keys/${key.id}`);
    await expect.poll(async () => (await me()).status).toBe(401);
  });

  it("a key whose maker is deactivated on the one stops on the other at once", async () => {
    const { one, other } = nodes;
    const person = await TestPerson.register(one);
    const { secret } = await create(person);
    const me = () => other.call("GET", "/api/v1/me", { key: secret });
    expect((await me()).status).toBe(200);
    await person.call("POST", "/api/auth/deactivate", { password: "correct horse battery staple" });
    await expect.poll(async () => (await me()).status).toBe(401);
  });
});
