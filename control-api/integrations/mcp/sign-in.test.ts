import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { AuthorizationServer, type Habits } from "../../../testkit/fakes/authorization-server.ts";
import { McpFake } from "../../../testkit/mcp-servers.ts";
import { chat } from "../../../testkit/model-brain.ts";
import { TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
});
afterAll(() => api.close());

function shop(): McpServer {
  const server = new McpServer({ name: "shop", version: "1" });
  server.registerTool("order.find", {}, async () => ({ content: [{ type: "text", text: "Order 7." }] }));
  return server;
}

/** A server that lets in whom its authorization server gave a token, and somebody who may connect it. */
async function open(habits: Habits = {}) {
  const auth = await AuthorizationServer.start();
  auth.habits = habits;
  /** Rights that a call of a tool is refused without. */
  const rights: { wanted?: string } = {};
  const server = await McpFake.start({
    tools: shop,
    guard: (request, url) => {
      const { origin } = new URL(url);
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      if (request.url === metadata) {
        return Response.json({
          resource: url,
          authorization_servers: [auth.origin],
          scopes_supported: ["orders"],
        });
      }
      const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
      if (auth.accessTokens.has(token)) {
        if (rights.wanted === undefined || request.headers.get("mcp-method") !== "tools/call")
          return undefined;
        const challenge = `Bearer error="insufficient_scope", scope="${rights.wanted}"`;
        return new Response("no", { status: 403, headers: { "www-authenticate": challenge } });
      }
      const headers = { "www-authenticate": `Bearer resource_metadata="${metadata}"` };
      return new Response("no", { status: 401, headers });
    },
  });
  const person = await TestPerson.register(api);
  onTestFinished(async () => {
    await server.close();
    await auth.close();
  });
  const path = `/api/orgs/${person.orgId}/mcp`;
  const start = async (more: Record<string, unknown> = {}) => {
    const answer = await person.call("POST", `${path}/oauth/start`, { url: server.url, ...more });
    const { authorizeUrl = "", mcpConnectionId = "" } = (answer.body.data ?? {}) as Record<string, string>;
    return { answer, authorizeUrl, id: mcpConnectionId, cookie: answer.headers.get("set-cookie") ?? "" };
  };
  const connections = async () =>
    (await person.call("GET", `${path}/connections`)).body.data as {
      connections: { id: string; status: string; lastError: string | null }[];
    };
  /** An agent that calls the server's tool whatever it is asked; gives what a chat with it answers. */
  const agentWith = async (mcpConnectionId: string) => {
    const fake = await chat(({ messages }) =>
      messages.at(-1)?.role === "tool" ? { text: "Done." } : { calls: [{ name: "find", arguments: "{}" }] },
    );
    const config = { mcpConnectionId, tool: "order.find" };
    const tools = [{ kind: "mcp", name: "find", config, confirm: false }];
    const brain = { kind: "model", model: "m", prompt: "Help.", url: fake.url, tools };
    const made = await person.call("POST", "/api/agents", { name: "Anna", brain });
    const { id = "" } = (made.body.data ?? {}) as { id?: string };
    return { made, run: () => saidTo(person, id) };
  };
  return { auth, server, rights, person, path, start, connections, agentWith };
}

/** What a browser does that is sent to the authorization server: where it comes back to. */
async function consent(authorizeUrl: string): Promise<string> {
  const { headers } = await fetch(authorizeUrl, { redirect: "manual" });
  const { pathname, search } = new URL(headers.get("location") ?? "");
  return pathname + search;
}

/** What a chat with an agent of theirs answers. */
async function saidTo(person: TestPerson, agentId: string): Promise<Record<string, unknown>> {
  const made = await person.call("POST", `/api/orgs/${person.orgId}/api-keys`, {
    name: "k",
    role: "developer",
  });
  const { secret: key } = made.body.data as { secret: string };
  const body = { agentId, identifier: "ada", input: "Where is my order?" };
  const answer = await api.call("POST", "/api/v1/chat", { key, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const back = (path: string, cookie: string) =>
  api.call("GET", path, { headers: cookie === "" ? {} : { cookie: cookie.split(";")[0] ?? "" } });

describe("signing in to a tool server", () => {
  it("goes by PKCE, a state, the server as resource, and a client of its own", async () => {
    const { auth, server, start } = await open();
    const { authorizeUrl, cookie } = await start({ label: "The shop" });
    const query = new URL(authorizeUrl).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: "code",
      client_id: "client-1",
      code_challenge_method: "S256",
      resource: server.url,
      scope: "orders",
      redirect_uri: `${api.api.baseUrl}/api/public/mcp/oauth/callback`,
    });
    expect(cookie).toMatch(
      /^parley_consent_\w{16}=[\w-]+; Path=\/api\/public; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    expect(auth.registrations[0]).toMatchObject({ client_name: "Parley", application_type: "web" });
    await start();
    expect(auth.registrations).toHaveLength(1);
  });

  it("makes a connection that lists the server's tools, and is refused before it is completed", async () => {
    const { auth, server, person, path, start, connections } = await open();
    const { id, authorizeUrl, cookie } = await start();
    const verify = () => person.call("POST", `${path}/verify`, { url: server.url, mcpConnectionId: id });
    const early = await verify();
    expect(early.status).toBe(400);
    expect(early.body.error).toContain("is not completed");
    expect((await connections()).connections).toMatchObject([{ id, status: "disconnected" }]);
    const done = await back(await consent(authorizeUrl), cookie);
    expect(done.status).toBe(200);
    expect(done.text).toContain("You are signed in.");
    expect((await connections()).connections).toMatchObject([{ id, status: "active" }]);
    expect((await verify()).body.data).toMatchObject({ needsAuth: false, tools: [{ name: "order.find" }] });
    expect(auth.tokenRequests[0]?.get("resource")).toBe(server.url);
    const elsewhere = await person.call("POST", `${path}/verify`, {
      url: `${server.origin}/other`,
      mcpConnectionId: id,
    });
    expect(elsewhere.status).toBe(400);
  });

  it("is not completed for who has left the organization by then", async () => {
    const { person, auth, start } = await open();
    const { authorizeUrl, cookie } = await start();
    const path = await consent(authorizeUrl);
    const memberships = api.database.db.deleteFrom("memberships");
    await memberships.where("user_id", "=", person.userId).execute();
    const refused = await back(path, cookie);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("may no longer connect accounts");
    expect(auth.tokenRequests).toEqual([]);
  });

  it.each([
    ["repeated", async (path: string, cookie: string) => void (await back(path, cookie))],
    ["in another browser", undefined],
    ["with another's cookie", "parley_consent_0000000000000000=x"],
  ])("is not ended %s", async (what, how) => {
    const { start } = await open();
    const { authorizeUrl, cookie } = await start();
    const path = await consent(authorizeUrl);
    if (typeof how === "function") await how(path, cookie);
    const refused = await back(path, what === "repeated" ? cookie : ((how as string | undefined) ?? ""));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("was started in another browser, has expired or was already used");
  });

  it("is not ended after ten minutes", async () => {
    const { start } = await open();
    const { authorizeUrl, cookie } = await start();
    const path = await consent(authorizeUrl);
    const { db } = api.database;
    const begun = await db.selectFrom("oauth_flows").select(["state_hash", "expires_at"]).execute();
    const last = begun.toSorted((a, b) => a.expires_at.getTime() - b.expires_at.getTime()).at(-1);
    const left = (last?.expires_at.getTime() ?? 0) - Date.now();
    expect(left).toBeGreaterThan(9 * 60_000);
    expect(left).toBeLessThanOrEqual(10 * 60_000);
    await db.updateTable("oauth_flows").set({ expires_at: new Date() }).execute();
    expect((await back(path, cookie)).status).toBe(400);
  });

  it("is not ended with a state that was not signed here", async () => {
    const { start } = await open();
    const { authorizeUrl, cookie } = await start();
    const path = (await consent(authorizeUrl)).replace(/state=[^&]+/, "state=a.b");
    expect((await back(path, cookie)).status).toBe(400);
  });

  it.each([["https://evil.example"], [null]])(
    "is not ended by an answer that names %s as its issuer",
    async (iss) => {
      const { auth, start } = await open({ iss });
      const { authorizeUrl, cookie } = await start();
      const refused = await back(await consent(authorizeUrl), cookie);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain("came from a different server than expected");
      expect(refused.text).not.toContain("evil");
      expect(auth.tokenRequests).toEqual([]);
    },
  );

  it("is refused at a server without PKCE, and at one that registers nobody", async () => {
    const without = await open({ hasNoPkce: true });
    expect((await without.start()).answer.body).toMatchObject({ code: "vendor_rejected" });
    const closed = await open({ refusesRegistration: true });
    expect((await closed.start()).answer.body).toMatchObject({
      code: "vendor_rejected",
      error: "The server refused to register Parley.",
    });
  });

  it("again keeps the id", async () => {
    const { start, connections } = await open();
    const first = await start();
    await back(await consent(first.authorizeUrl), first.cookie);
    const again = await start({ mcpConnectionId: first.id });
    expect(again.id).toBe(first.id);
    await back(await consent(again.authorizeUrl), again.cookie);
    expect((await connections()).connections).toHaveLength(1);
  });

  it("is undone by disconnecting: the server is told, and nothing is left", async () => {
    const { auth, server, person, path, start, connections } = await open();
    const { id, authorizeUrl, cookie } = await start();
    await back(await consent(authorizeUrl), cookie);
    expect((await person.call("DELETE", `${path}/connections/${id}`)).status).toBe(200);
    expect(auth.revoked).toHaveLength(1);
    expect((await connections()).connections).toEqual([]);
    const verify = await person.call("POST", `${path}/verify`, { url: server.url, mcpConnectionId: id });
    expect(verify.status).toBe(400);
    expect((await person.call("DELETE", `${path}/connections/${id}`)).status).toBe(404);
  });

  it("lets agents have its tools, called with a token of the moment, until somebody disconnects it", async () => {
    const { auth, server, person, path, start, agentWith } = await open({ expiresIn: 3_600 });
    const { id, authorizeUrl, cookie } = await start();
    const early = await agentWith(id);
    expect(early.made.text).toContain(`The sign-in of the connection ${id} is not completed`);
    await back(await consent(authorizeUrl), cookie);
    const { run } = await agentWith(id);
    expect(await run()).toMatchObject({ toolCalls: [{ status: "success", result: "Order 7." }] });
    auth.accessTokens.clear();
    expect(await run()).toMatchObject({ toolCalls: [{ status: "success" }] });
    expect(auth.renewals).toBe(1);
    const refused = await person.call("DELETE", `${path}/connections/${id}?force=false`);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      "This connection is still used by agent Anna. Remove it there first.",
    ]);
    expect((await person.call("DELETE", `${path}/connections/${id}`)).status).toBe(200);
    expect(auth.revoked).toHaveLength(1);
    const before = server.seen.length;
    expect(await run()).toMatchObject({ toolCalls: [{ status: "not_found" }] });
    expect(server.seen).toHaveLength(before);
  });

  it("asks for the rights that a tool was refused for, beside those that were given", async () => {
    const { rights, start, agentWith } = await open();
    const { id, authorizeUrl, cookie } = await start();
    await back(await consent(authorizeUrl), cookie);
    const { run } = await agentWith(id);
    rights.wanted = "orders:write";
    const error = { code: "insufficient_scope", message: expect.stringContaining("Sign in again") };
    expect(await run()).toMatchObject({ toolCalls: [{ status: "error", result: { error } }] });
    delete rights.wanted;
    const again = await start({ mcpConnectionId: id });
    expect(new URL(again.authorizeUrl).searchParams.get("scope")).toBe("orders orders:write");
    await back(await consent(again.authorizeUrl), again.cookie);
    expect(await run()).toMatchObject({ toolCalls: [{ status: "success" }] });
    const third = await start({ mcpConnectionId: id });
    expect(new URL(third.authorizeUrl).searchParams.get("scope")).toBe("orders");
  });

  it("is not needed where the vendor gives out a token: it is tried, sealed, and put in another's place", async () => {
    const { auth, server, person, path, connections, agentWith } = await open();
    const connect = (body: object) =>
      person.call("POST", `${path}/connections`, { url: server.url, label: "The shop", ...body });
    expect((await connect({ token: "wrong" })).body).toMatchObject({ code: "vendor_rejected" });
    expect((await connections()).connections).toEqual([]);
    auth.accessTokens.add("vendor-token-1");
    const made = await connect({ token: "vendor-token-1" });
    const { connection } = made.body.data as { connection: { id: string } };
    expect([made.status, connection]).toMatchObject([201, { label: "The shop", status: "active" }]);
    const { id: mcpConnectionId } = connection;
    const rows = await api.database.db.selectFrom("oauth_grants").selectAll().execute();
    expect(made.text + JSON.stringify(rows)).not.toContain("vendor-token-1");
    const { run } = await agentWith(mcpConnectionId);
    expect(await run()).toMatchObject({ toolCalls: [{ status: "success" }] });
    auth.accessTokens.clear();
    expect(await run()).toMatchObject({ toolCalls: [{ status: "error" }] });
    expect((await connections()).connections).toMatchObject([
      { status: "error", lastError: expect.stringContaining("enter another token") },
    ]);
    auth.accessTokens.add("vendor-token-2");
    expect((await connect({ token: "vendor-token-2", mcpConnectionId })).status).toBe(201);
    expect(await run()).toMatchObject({ toolCalls: [{ status: "success" }] });
    expect((await connections()).connections).toMatchObject([{ id: mcpConnectionId, status: "active" }]);
    const elsewhere = await TestPerson.register(api);
    const theirs = { url: server.url, token: "vendor-token-2", mcpConnectionId };
    const foreign = await elsewhere.call("POST", `/api/orgs/${elsewhere.orgId}/mcp/connections`, theirs);
    expect(foreign.status).toBe(404);
  });

  it("that was taken back becomes an error that says what to do, and the owners get one mail", async () => {
    const { auth, server, person, path, start, connections } = await open();
    const { id, authorizeUrl, cookie } = await start();
    await back(await consent(authorizeUrl), cookie);
    auth.accessTokens.clear();
    auth.habits = { isDead: true };
    const verify = () => person.call("POST", `${path}/verify`, { url: server.url, mcpConnectionId: id });
    const lastError = "The vendor took the access back, or it ran out (invalid_grant). Sign in again.";
    for (const answer of [await verify(), await verify()])
      expect(answer).toMatchObject({ status: 502, body: { code: "vendor_rejected", error: lastError } });
    expect((await connections()).connections).toMatchObject([{ id, status: "error", lastError }]);
    await expect.poll(async () => (await api.messagesTo(person.email)).length).toBeGreaterThan(0);
    const mails = await api.messagesTo(person.email);
    expect(mails.filter(({ subject }) => subject?.startsWith("Parley lost its access"))).toHaveLength(1);
    auth.habits = {};
    const again = await start();
    expect(again.id).toBe(id);
    await back(await consent(again.authorizeUrl), again.cookie);
    expect((await verify()).body.data).toMatchObject({ needsAuth: false });
  });
});
