import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { McpFake } from "../../../testkit/mcp-servers.ts";
import { OidcServer } from "../../../testkit/oidc-server.ts";
import { TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
let auth: OidcServer;
let server: McpFake;
/** Tokens that people came to the tool server with. */
const shown: string[] = [];

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  auth = await OidcServer.start("orders");
  server = await McpFake.start({
    tools: () => {
      const shop = new McpServer({ name: "shop", version: "1" });
      shop.registerTool("order.find", {}, async () => ({ content: [{ type: "text", text: "Order 7." }] }));
      return shop;
    },
    guard: async (request, url) => {
      const metadata = new URL("/.well-known/oauth-protected-resource/mcp", url).href;
      if (request.url === metadata) {
        const resource = {
          resource: url,
          authorization_servers: [auth.issuer],
          scopes_supported: ["orders"],
        };
        return Response.json(resource);
      }
      const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
      if (await auth.admits(token, url)) {
        shown.push(token);
        return undefined;
      }
      const headers = { "www-authenticate": `Bearer resource_metadata="${metadata}"` };
      return new Response("no", { status: 401, headers });
    },
  });
});
afterAll(async () => {
  await server.close();
  await auth.close();
  await api.close();
});

it("signs in with oidc-provider: registration, PKCE, resource, issuer, renewal by rotation, revocation", async () => {
  const person = await TestPerson.register(api);
  const path = `/api/orgs/${person.orgId}/mcp`;
  const started = await person.call("POST", `${path}/oauth/start`, { url: server.url });
  expect(started.status, started.text).toBe(200);
  const { authorizeUrl, mcpConnectionId } = started.body.data as Record<string, string>;
  const asked = new URL(authorizeUrl ?? "").searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    code_challenge_method: "S256",
    resource: server.url,
    scope: "orders offline_access",
    prompt: "consent",
  });
  const back = new URL(await auth.visit(authorizeUrl ?? ""));
  expect(back.searchParams.get("iss")).toBe(auth.issuer);
  const cookie = started.headers.get("set-cookie")?.split(";")[0] ?? "";
  const done = await api.call("GET", back.pathname + back.search, { headers: { cookie } });
  expect([done.status, done.text]).toEqual([200, expect.stringContaining("You are signed in.")]);

  const verify = async () =>
    (await person.call("POST", `${path}/verify`, { url: server.url, mcpConnectionId })).body.data;
  expect(await verify()).toMatchObject({ needsAuth: false, tools: [{ name: "order.find" }] });
  // A token that ended is renewed by a refresh token that is good once, and so is the next one.
  for (const _ of [1, 2]) {
    await auth.end(shown.at(-1) ?? "");
    expect(await verify()).toMatchObject({ needsAuth: false });
  }
  expect(new Set(shown).size).toBe(3);
  const last = shown.at(-1) ?? "";
  expect((await person.call("DELETE", `${path}/connections/${mcpConnectionId}`)).status).toBe(200);
  expect(await auth.admits(last, server.url)).toBe(false);
});

it("is refused by oidc-provider with another verifier, which is told in words", async () => {
  const person = await TestPerson.register(api);
  const path = `/api/orgs/${person.orgId}/mcp`;
  const begin = async () => {
    const { body, headers } = await person.call("POST", `${path}/oauth/start`, { url: server.url });
    const { authorizeUrl = "" } = body.data as Record<string, string>;
    return { authorizeUrl: new URL(authorizeUrl), cookie: headers.get("set-cookie")?.split(";")[0] ?? "" };
  };
  const { authorizeUrl, cookie } = await begin();
  const other = (await begin()).authorizeUrl.searchParams.get("code_challenge") ?? "";
  authorizeUrl.searchParams.set("code_challenge", other);
  const back = new URL(await auth.visit(authorizeUrl.href));
  const refused = await api.call("GET", back.pathname + back.search, { headers: { cookie } });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("invalid_grant")]);
});
