import { manifestSchema } from "@parley/platform/manifest/manifest.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { MockAgent } from "undici";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { Limits } from "../../http/limits/limits.ts";
import { CapabilityError } from "../../integrations/capability-error.ts";
import { DataKeys } from "../../sealed/data-keys.ts";
import type { BridgeCall } from "../bridge/handlers.ts";
import { HostBreakers } from "./host-breakers.ts";
import { httpMethods } from "./methods.ts";

const SECRETS_KEY = `test:${Buffer.alloc(32, 9).toString("base64")}`;
const SCOPES = ["http:api.example.com", "http:evil.example.com"];
const SETTINGS = [{ key: "token", label: "Token", type: "secret", hosts: ["api.example.com"] }];

let api: TestControlApi;
let person: TestPerson;
let appId: string;
let agent: MockAgent;
let nowMs = 0;
let ask: (request: object) => Promise<unknown>;
beforeAll(async () => {
  api = await TestControlApi.start({
    secretsKey: SECRETS_KEY,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  });
  person = await TestPerson.register(api);
  appId = await installApp(person, { scopes: SCOPES, manifest: { settings: SETTINGS } });
  await person.call("PATCH", `/api/orgs/${person.orgId}/apps/${appId}/settings`, {
    settings: { token: "hunter2" },
  });
});
afterAll(() => api.close());

beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
  const handlers = httpMethods({
    db: api.database.db,
    dataKeys: new DataKeys({ secrets: new SecretBox(SECRETS_KEY), nowMs: Date.now }),
    limits: new Limits({ database: api.database, clock: systemClock }),
    dispatchers: { of: () => agent },
    breakers: new HostBreakers(() => nowMs),
    authorize: async ({ orgId, providerId, host: at }) => {
      if (at !== "api.example.com") throw new CapabilityError("denied", "not to this host");
      return { authorization: `Bearer of ${providerId} in ${orgId}` };
    },
  });
  const manifest = manifestSchema.parse({
    ...{ id: "call-notes", name: "Notes", version: "1.0.0", scopes: SCOPES, settings: SETTINGS },
    ui: { entry: "index.js", pages: [{ id: "panel", title: "Panel" }] },
  });
  const caller = { orgId: person.orgId, appId, manifest } as unknown as BridgeCall["caller"];
  const signal = new AbortController().signal;
  ask = async (request) =>
    handlers["http.fetch"]?.({ request } as never, {
      caller,
      signal,
      client: { ip: "", userAgent: "" },
      bytes: undefined,
      event: () => undefined,
    });
});

const host = (name = "api.example.com") => agent.get(`https://${name}`);

it("gives status, headers and text, follows no redirect, and keeps cookies back", async () => {
  const headers = { location: "https://evil.example.com/", "set-cookie": "a=1", "x-kind": "test" };
  host().intercept({ path: "/x", method: "POST", body: "ping" }).reply(302, "moved", { headers });
  expect(await ask({ url: "https://api.example.com/x", method: "POST", body: "ping" })).toEqual({
    status: 302,
    headers: { location: "https://evil.example.com/", "x-kind": "test" },
    body: "moved",
  });
});

it("puts secrets into header, query and body, and sends them to their hosts only", async () => {
  host()
    .intercept({
      path: "/?key=hunter2",
      method: "POST",
      body: "t=hunter2",
      headers: { authorization: "Bearer hunter2" },
    })
    .reply(200, "ok");
  const request = {
    url: "https://api.example.com/?key={{secret:token}}",
    method: "POST",
    headers: { authorization: "Bearer {{secret:token}}" },
    body: "t={{secret:token}}",
  };
  expect(await ask(request)).toMatchObject({ status: 200 });
  const elsewhere = ask({ ...request, url: "https://evil.example.com/?key={{secret:token}}" });
  await expect(elsewhere).rejects.toMatchObject({ code: "address_refused" });
  await expect(ask({ url: "https://api.example.com/{{secret:other}}" })).rejects.toMatchObject({
    code: "invalid_arguments",
  });
});

it.each([
  ["https:/api.example.com///evil.example.com/x", "///evil.example.com/x"],
  ["https:\\\\api.example.com\\\\evil.example.com", "//evil.example.com"],
  ["https://api.example.com:443//evil.example.com/x", "//evil.example.com/x"],
  ["https://ＡＰＩ.example.com/100%?q={a}", "/100%?q={a}"],
])("asks the host that was looked at, however its address is written: %s", async (url, path) => {
  const asked: string[] = [];
  const anything = (one: string): boolean => asked.push(one) > 0;
  host().intercept({ path: anything }).reply(200, "here");
  expect(await ask({ url })).toMatchObject({ status: 200, body: "here" });
  expect(asked.at(-1)).toBe(path);
});

it("refuses headers that are not an app's to send, and names and passwords in addresses", async () => {
  for (const name of ["Host", "cookie", "Content-Length", "Proxy-Authorization", "X-Forwarded-For"])
    await expect(ask({ url: "https://api.example.com/", headers: { [name]: "x" } })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
  await expect(ask({ url: "https://user:pw@api.example.com/" })).rejects.toMatchObject({
    code: "invalid_arguments",
  });
});

it("sends the credentials of a connected account, which the app neither sees nor sets, to the vendor's own host", async () => {
  host()
    .intercept({ path: "/me", headers: { authorization: `Bearer of zendesk in ${person.orgId}` } })
    .reply(200, "known");
  const request = { url: "https://api.example.com/me", connection: "zendesk" };
  expect(await ask(request)).toMatchObject({ status: 200, body: "known" });
  await expect(ask({ ...request, headers: { Authorization: "mine" } })).rejects.toMatchObject({
    code: "invalid_arguments",
  });
  await expect(ask({ ...request, url: "https://evil.example.com/me" })).rejects.toMatchObject({
    code: "vendor_failed",
    retryable: false,
  });
});

it("leaves a host alone that failed five times in a row, and asks it again later", async () => {
  host().intercept({ path: "/" }).reply(500, "broken").times(5);
  for (let i = 0; i < 5; i++)
    expect(await ask({ url: "https://api.example.com/" })).toMatchObject({ status: 500 });
  await expect(ask({ url: "https://api.example.com/" })).rejects.toMatchObject({
    code: "vendor_failed",
    retryAfterMs: 30_000,
  });
  nowMs += 30_001;
  host().intercept({ path: "/" }).reply(200, "well");
  expect(await ask({ url: "https://api.example.com/" })).toMatchObject({ status: 200 });
});

it("refuses a host whose name leads to a private address, and one that was not granted", async () => {
  const bridge = await TestBridge.open(person, appId);
  const asked = (url: string) => bridge.call("http.fetch", { request: { url } });
  await expect(asked("https://api.example.com/")).rejects.toMatchObject({ code: "address_refused" });
  for (const url of [
    "https://169.254.169.254/",
    "https://localhost/",
    "https://0x7f.1/",
    "https://[::ffff:127.0.0.1]/",
    "https://api.example.com./",
    "https://evil@other.example.org/",
  ])
    await expect(asked(url), url).rejects.toMatchObject({ code: "scope_missing" });
  await expect(asked("http://api.example.com/")).rejects.toMatchObject({ code: "invalid_arguments" });
});
