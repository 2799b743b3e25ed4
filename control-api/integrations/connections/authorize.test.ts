import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { type FakeConsents, OAUTH_CLIENT } from "../../../testkit/fakes/connectors/fake-consents.ts";
import type { FakeVendor } from "../../../testkit/fakes/connectors/fake-vendor.ts";
import {
  googleConsents,
  startFakeGoogleCalendar,
} from "../../../testkit/fakes/connectors/google-calendar.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { TestPerson } from "../../../testkit/person.ts";

const BASE = "/api/v1/integrations/connections";
const ISSUER = "https://accounts.google.com";

let consents: FakeConsents;
let google: FakeVendor;
let api: TestControlApi;
let members: TestMembers;

beforeAll(async () => {
  consents = googleConsents();
  google = await startFakeGoogleCalendar(consents);
  api = await TestControlApi.start({
    env: {
      INTEGRATION_URLS: `google-calendar=${google.url}`,
      OAUTH_CLIENTS: JSON.stringify([{ provider: ISSUER, ...OAUTH_CLIENT }]),
    },
    allowPrivateTargets: ["127.0.0.0/8"],
  });
  members = await TestMembers.create(api);
});
afterAll(async () => {
  await api.close();
  google.close();
});
beforeEach(() => {
  google.fault = undefined;
  Object.assign(consents, { isDead: false, allowed: undefined, issuer: undefined });
  consents.revoked.length = 0;
  consents.asked.length = 0;
});

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { key: members.keys.developer, ...(body === undefined ? {} : { body }) });
const open = (url: string, cookie = "") =>
  fetch(url, { redirect: "manual", headers: cookie === "" ? {} : { cookie } });
const cookieIn = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";

const memberships = () => api.database.db.updateTable("memberships");

interface Shown {
  readonly status: string;
  readonly lastError?: string;
  readonly settings: Record<string, string>;
}
const read = async (id: string) => (await call("GET", `${BASE}/${id}`)).body as unknown as Shown;

async function create(): Promise<string> {
  const made = await call("POST", BASE, { providerId: "google-calendar" });
  expect(made.status).toBe(201);
  return (made.body.connection as { id: string }).id;
}

async function authorize(id: string) {
  const { status, body } = await call("POST", `${BASE}/${id}/authorize`);
  expect(status).toBe(200);
  return body as unknown as { authorizeUrl: string; returnsTo: string; pollUrl: string };
}

/** What a browser does with a link: to the vendor and back. */
async function consent(authorizeUrl: string) {
  const link = await open(authorizeUrl);
  const cookie = cookieIn(link);
  const back = (await open(link.headers.get("location") ?? "")).headers.get("location") ?? "";
  return { link, cookie, back, finish: () => open(back, cookie) };
}

async function connected(): Promise<string> {
  const id = await create();
  const { finish } = await consent((await authorize(id)).authorizeUrl);
  expect((await finish()).status).toBe(303);
  return id;
}

describe("a connection by consent", () => {
  it("is made of its connector's id alone, and says that consent is to be given next", async () => {
    const { status, body } = await call("POST", BASE, { providerId: "google-calendar" });
    expect(status).toBe(201);
    const { id } = body.connection as { id: string };
    expect(body).toMatchObject({
      connection: { status: "disconnected" },
      verification: null,
      next: { action: "authorize", method: "POST", url: `${BASE}/${id}/authorize` },
    });
    expect((await call("POST", `${BASE}/${id}/test`)).body).toMatchObject({ ok: false });
  });

  it.each([
    ["a key that was revoked", true],
    ["a member who only reads by then", false],
  ])("is not completed for %s", async (_who, isByKey) => {
    const person = await TestPerson.register(api);
    const org = `/api/orgs/${person.orgId}`;
    const own = `${org}/integrations/connections`;
    const made = await person.call("POST", own, { providerId: "google-calendar" });
    const { id } = (made.body.data as { connection: { id: string } }).connection;
    const key = await person.call("POST", `${org}/api-keys`, { name: "for a consent" });
    const { secret, key: about } = key.body.data as { secret: string; key: { id: string } };
    const begun = isByKey
      ? await api.call("POST", `${BASE}/${id}/authorize`, { key: secret })
      : await person.call("POST", `${own}/${id}/authorize`);
    const { authorizeUrl } = (isByKey ? begun.body : begun.body.data) as { authorizeUrl: string };
    const bound = isByKey ? await open(authorizeUrl) : undefined;
    const cookie = bound ? cookieIn(bound) : (begun.headers.get("set-cookie")?.split(";")[0] ?? "");
    const asked = bound?.headers.get("location") ?? authorizeUrl;
    const back = (await open(asked)).headers.get("location") ?? "";
    if (isByKey) await person.call("DELETE", `${org}/api-keys/${about.id}`);
    else await memberships().set({ role: "viewer" }).where("user_id", "=", person.userId).execute();
    const refused = await open(back, cookie);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("may no longer connect accounts");
    const { body } = await person.call("GET", `${own}/${id}`);
    expect(body.data).toMatchObject({ status: "disconnected" });
  });

  it("is active once somebody consented, and names the account", async () => {
    const id = await create();
    const { authorizeUrl, returnsTo, pollUrl } = await authorize(id);
    expect(pollUrl).toBe(`${api.api.baseUrl}${BASE}/${id}`);
    expect(returnsTo).toBe(`${api.api.baseUrl}/integrations/connections/${id}`);
    const { link, finish } = await consent(authorizeUrl);
    expect(link.headers.get("cache-control")).toBe("no-store");
    const done = await finish();
    expect([done.status, done.headers.get("location")]).toEqual([303, returnsTo]);
    expect(await read(id)).toMatchObject({ status: "active", settings: { account: "team@example.com" } });
    expect((await call("POST", `${BASE}/${id}/test`)).body).toEqual({ ok: true, warnings: [] });
    expect(consents.asked[0]).toMatchObject({
      response_type: "code",
      client_id: OAUTH_CLIENT.clientId,
      access_type: "offline",
      prompt: "consent",
      code_challenge_method: "S256",
      redirect_uri: `${api.api.baseUrl}/api/public/integrations/oauth/callback`,
      scope:
        "https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.freebusy",
    });
    expect(api.logged.join()).not.toContain("access-");
  });

  it("is begun by a person in their own browser", async () => {
    const id = await create();
    const { orgId, people } = members;
    const path = `/api/orgs/${orgId}/integrations/connections/${id}/authorize`;
    const begun = await people.developer.call("POST", path);
    const { authorizeUrl } = begun.body.data as { authorizeUrl: string };
    expect(authorizeUrl).toContain(google.url);
    const back = (await open(authorizeUrl)).headers.get("location") ?? "";
    expect((await open(back)).status).toBe(400);
    const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await open(back, cookie)).status).toBe(303);
  });

  it("keeps its id when somebody consents again", async () => {
    const id = await connected();
    const { finish } = await consent((await authorize(id)).authorizeUrl);
    expect((await finish()).status).toBe(303);
    expect(await read(id)).toMatchObject({ status: "active" });
  });

  it("is given back at the vendor when it is deleted", async () => {
    const id = await connected();
    expect((await call("DELETE", `${BASE}/${id}`)).status).toBe(200);
    expect(consents.revoked).toEqual([expect.stringMatching(/^refresh-/)]);
    const grants = await api.database.db.selectFrom("oauth_grants").where("id", "=", id).execute();
    expect(grants).toEqual([]);
  });

  it("that is deleted while somebody consents is not made again", async () => {
    const id = await create();
    const { finish } = await consent((await authorize(id)).authorizeUrl);
    await call("DELETE", `${BASE}/${id}`);
    const refused = await finish();
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("was deleted in the meantime"),
    ]);
    expect(consents.revoked).toHaveLength(1);
  });

  it("says what is missing when not everything was allowed", async () => {
    consents.allowed = "https://www.googleapis.com/auth/calendar.freebusy";
    const id = await connected();
    const { status, lastError } = await read(id);
    expect([status, lastError]).toEqual([
      "error",
      expect.stringContaining("missing: https://www.googleapis"),
    ]);
    expect(lastError).toContain("Authorize the connection again");
  });

  it("is active all the same when the vendor fails for the moment", async () => {
    google.fault = { status: 503, json: {} };
    expect(await read(await connected())).toMatchObject({ status: "active" });
  });
});

describe("access that ends", () => {
  it("is an error that says what to do, mailed to the owners once; consent mends it", async () => {
    const id = await connected();
    consents.expire();
    consents.isDead = true;
    const renewals = () =>
      consents.tokenRequests.filter((form) => form.grant_type === "refresh_token").length;
    const before = renewals();
    const tests = await Promise.all([1, 2, 3].map(() => call("POST", `${BASE}/${id}/test`)));
    const sentence = "The vendor took the access back, or it ran out (invalid_grant). Sign in again.";
    for (const { body } of tests) expect(body).toEqual({ ok: false, error: sentence, warnings: [] });
    expect(await read(id)).toMatchObject({ status: "error", lastError: sentence });
    expect(renewals() - before).toBe(1);
    const told = async () =>
      (await api.messagesTo(members.people.owner.email)).filter(
        ({ subject }) => subject === "Parley lost its access to Google Calendar",
      );
    await expect.poll(async () => (await told()).length).toBe(1);
    expect((await told())[0]?.text).toContain(sentence);
    consents.isDead = false;
    const { finish } = await consent((await authorize(id)).authorizeUrl);
    expect((await finish()).status).toBe(303);
    expect(await read(id)).toMatchObject({ status: "active" });
  });

  it("before its time is renewed by what the first refusal says", async () => {
    const id = await connected();
    consents.expire();
    expect((await call("POST", `${BASE}/${id}/test`)).body).toEqual({ ok: true, warnings: [] });
  });
});

describe("a link to a consent", () => {
  it("is of the browser that opens it first, as often as that one likes", async () => {
    const { authorizeUrl } = await authorize(await create());
    const first = await open(authorizeUrl);
    expect((await open(authorizeUrl)).status).toBe(400);
    expect((await open(authorizeUrl, cookieIn(first))).status).toBe(303);
  });

  it("is not ended by another browser, which uses nothing up", async () => {
    const { back, finish, cookie } = await consent((await authorize(await create())).authorizeUrl);
    expect((await open(back)).status).toBe(400);
    expect((await open(back, `${cookie.split("=")[0]}=another`)).status).toBe(400);
    expect((await finish()).status).toBe(303);
    expect((await finish()).status).toBe(400);
  });

  it("ends after ten minutes", async () => {
    const { authorizeUrl } = await authorize(await create());
    const { finish } = await consent(authorizeUrl);
    await api.database.db.updateTable("oauth_flows").set({ expires_at: new Date() }).execute();
    expect((await finish()).status).toBe(400);
    expect((await open(authorizeUrl)).status).toBe(400);
  });

  it("is none with a state that was not signed here", async () => {
    const { authorizeUrl } = await authorize(await create());
    expect((await open(authorizeUrl.replace(/state=[^&]+/, "state=a.b"))).status).toBe(400);
  });

  it("is not ended by an answer of another issuer", async () => {
    consents.issuer = "https://evil.example";
    const refused = await consent((await authorize(await create())).authorizeUrl);
    expect((await refused.finish()).status).toBe(400);
    consents.issuer = ISSUER;
    const { finish } = await consent((await authorize(await create())).authorizeUrl);
    expect((await finish()).status).toBe(303);
  });

  it("is not given to who may only read, nor for another organization's connection", async () => {
    const id = await create();
    const path = `${BASE}/${id}/authorize`;
    expect((await api.call("POST", path, { key: members.keys.viewer })).status).toBe(403);
    const stranger = await api.createOrganization();
    expect((await api.call("POST", path, { key: stranger.keys.owner })).status).toBe(404);
  });

  it("is not there where nobody registered this installation, and says what its operator has to do", async () => {
    const { id } = (await call("POST", BASE, { providerId: "salesforce" })).body.connection as { id: string };
    const { status, body } = await call("POST", `${BASE}/${id}/authorize`);
    expect(status).toBe(409);
    expect(body.error).toContain(`redirect URI ${api.api.baseUrl}/api/public/integrations/oauth/callback`);
    expect(body.error).toContain('OAUTH_CLIENTS with the provider "salesforce"');
  });

  it("is not there for a connector that has credentials", async () => {
    const body = { providerId: "stripe", credentials: { apiKey: "rk_1" }, verify: false };
    const { id } = (await call("POST", BASE, body)).body.connection as { id: string };
    const { status, body: refused } = await call("POST", `${BASE}/${id}/authorize`);
    expect([status, refused.error]).toEqual([400, expect.stringContaining("with credentials")]);
  });
});
