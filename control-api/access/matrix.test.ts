import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../tests/support/control-api.ts";
import type { TestOrganization } from "../../tests/support/organization.ts";

const CALLERS = [
  "nobody",
  "unknown key",
  "revoked key",
  "owner",
  "admin",
  "developer",
  "member",
  "viewer",
] as const;
type Caller = (typeof CALLERS)[number];

/** 401, 403, or "in": past the access rule, whatever the route then says. */
type Verdict = 401 | 403 | "in";

const PUBLIC: Record<Caller, Verdict> = {
  nobody: "in",
  "unknown key": "in",
  "revoked key": "in",
  owner: "in",
  admin: "in",
  developer: "in",
  member: "in",
  viewer: "in",
};
const READ: Record<Caller, Verdict> = { ...PUBLIC, nobody: 401, "unknown key": 401, "revoked key": 401 };
/** Spec 1, "Authentication", rules 3 and 4: member and viewer keys are read-only. */
const WRITE: Record<Caller, Verdict> = { ...READ, member: 403, viewer: 403 };

/** Every route of the API and who gets in, written out from the spec. */
const MATRIX: Record<string, Record<Caller, Verdict>> = {
  "GET /": PUBLIC,
  "GET /talk": PUBLIC,
  "POST /talk/session": PUBLIC,
  "GET /assets/*": PUBLIC,
  "GET /healthz": PUBLIC,
  "GET /readyz": PUBLIC,
  "GET /metrics": PUBLIC,
  "GET /api/v1/me": READ,
  "GET /api/v1/calls/:id": READ,
  "GET /api/v1/calls/:id/recording": READ,
  "POST /api/sessions/init-web-call": WRITE,
  "POST /api/sessions/:id/stream": READ,
  "DELETE /api/sessions/:id": WRITE,
};

let api: TestControlApi;
let organization: TestOrganization;

beforeAll(async () => {
  api = await TestControlApi.start();
  organization = await api.createOrganization();
});
afterAll(() => api.close());

function keyOf(caller: Caller): string | undefined {
  if (caller === "nobody") return undefined;
  if (caller === "unknown key") return "parley_live_unknown";
  if (caller === "revoked key") return organization.revokedKey;
  return organization.keys[caller];
}

describe("the access matrix", () => {
  it("names every registered route", async () => {
    const document = await api.call("GET", "/docs/json");
    const documented = Object.entries(document.body.paths as Record<string, Record<string, unknown>>).flatMap(
      ([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    );
    expect(Object.keys(MATRIX)).toEqual(expect.arrayContaining(documented));
  });

  const cases = Object.entries(MATRIX).flatMap(([route, row]) =>
    CALLERS.map((caller) => [route, caller, row[caller]] as const),
  );
  it.each(cases)("%s by %s: %s", async (route, caller, verdict) => {
    const [method = "GET", pattern = "/"] = route.split(" ");
    const path = pattern.replace(":id", "ses_none").replace("*", "none.js");
    const key = keyOf(caller);
    const { status } = await api.call(method, path, key === undefined ? {} : { key });
    if (verdict === "in") expect([401, 403]).not.toContain(status);
    else expect(status).toBe(verdict);
  });

  it("keeps a route without a rule from starting", async () => {
    const { default: fastify } = await import("fastify");
    const { accessPlugin } = await import("../plugins/access.ts");
    const app: FastifyInstance = fastify();
    await app.register(accessPlugin, {
      keys: undefined as never,
      sessions: undefined as never,
      publicPrefixes: [],
    });
    expect(() => app.get("/naked", async () => "x")).toThrow("declares no access rule");
    await app.close();
  });

  it("refuses a denial with the rule in words", async () => {
    const refused = await api.call("DELETE", "/api/sessions/ses_none", { key: organization.keys.viewer });
    expect(refused.body).toMatchObject({ success: false, code: "forbidden" });
    expect(refused.body.error).toContain("viewer");
  });

  it("forgets a revoked key within its cache's second", async () => {
    const { keys, orgId } = await api.createOrganization();
    expect((await api.call("GET", "/api/v1/me", { key: keys.admin })).status).toBe(200);
    await api.database.db
      .updateTable("api_keys")
      .set({ revoked_at: new Date() })
      .where("org_id", "=", orgId)
      .execute();
    await expect
      .poll(async () => (await api.call("GET", "/api/v1/me", { key: keys.admin })).status, { timeout: 3_000 })
      .toBe(401);
  });

  it("lets no key of a deactivated creator in", async () => {
    const { keys, userId } = await api.createOrganization();
    await api.database.db
      .updateTable("users")
      .set({ status: "deactivated" })
      .where("id", "=", userId)
      .execute();
    expect((await api.call("GET", "/api/v1/me", { key: keys.owner })).status).toBe(401);
  });
});
