import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { Everything, McpFake, type McpFakeOptions } from "../../../testkit/mcp-servers.ts";
import { TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
let person: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  person = await TestPerson.register(api);
});
afterAll(() => api.close());

const verify = (body: Record<string, unknown>) =>
  person.call("POST", `/api/orgs/${person.orgId}/mcp/verify`, body);

function shop(): McpServer {
  const server = new McpServer({ name: "shop", version: "3.1" });
  server.registerTool(
    "order.find",
    { description: "Finds an order.", inputSchema: z.object({ number: z.string() }) },
    async ({ number }) => ({ content: [{ type: "text", text: `Order ${number} is on its way.` }] }),
  );
  return server;
}

async function fake(options: Partial<McpFakeOptions> = {}): Promise<McpFake> {
  const server = await McpFake.start({ tools: shop, ...options });
  onTestFinished(() => server.close());
  return server;
}

const unauthorized = (challenge: string) =>
  new Response("no", { status: 401, headers: { "www-authenticate": challenge } });

describe("verifying a server", () => {
  it("of the era of 2026 lists its tools, without a handshake", async () => {
    const server = await fake();
    const { status, body } = await verify({ url: server.url });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      needsAuth: false,
      server: { name: "shop", version: "3.1", protocolVersion: "2026-07-28" },
      tools: [{ name: "order.find", description: "Finds an order.", readOnly: false }],
      skipped: [],
    });
    expect(server.seen.map(({ rpc }) => rpc)).toEqual(["server/discover", "tools/list"]);
  });

  describe("of the era of 2025", () => {
    let everything: Everything[];
    beforeAll(async () => {
      everything = [await Everything.start("streamableHttp"), await Everything.start("sse")];
    });
    afterAll(() => {
      for (const server of everything) server.close();
    });

    it.each([
      [0, "2025-11-25", "over one address"],
      [1, "2025-11-25", "over the two addresses of 2024"],
    ])("lists its tools (%s: %s, %s)", async (which, protocolVersion) => {
      const { status, body } = await verify({ url: everything[which]?.url });
      expect(status).toBe(200);
      const data = body.data as { server: object; tools: { name: string }[] };
      expect(data.server).toMatchObject({ protocolVersion });
      expect(data.tools.map(({ name }) => name)).toContain("get-sum");
    });
  });

  it("sends the token with every request, and says when it is not taken", async () => {
    const guard = (request: Request) =>
      request.headers.get("authorization") === "Bearer good" ? undefined : unauthorized("Bearer");
    const server = await fake({ guard });
    const taken = await verify({ url: server.url, token: "good" });
    expect(taken.body.data).toMatchObject({ needsAuth: false });
    const refused = await verify({ url: server.url, token: "bad" });
    expect(refused.status).toBe(502);
    expect(refused.body).toMatchObject({
      code: "vendor_rejected",
      error: "The server rejected the token. Enter another one.",
    });
  });

  it("that wants somebody signed in says who does that", async () => {
    const server: McpFake = await fake({
      guard: (request, url) => {
        const { origin, pathname } = new URL(url);
        const at = new URL(request.url).pathname;
        if (at === "/.well-known/oauth-protected-resource/mcp")
          return Response.json({
            resource: url,
            authorization_servers: [origin],
            scopes_supported: ["orders:read"],
          });
        if (at === "/.well-known/oauth-authorization-server")
          return Response.json({
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            response_types_supported: ["code"],
            code_challenge_methods_supported: ["S256"],
          });
        return at === pathname
          ? unauthorized(
              `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="orders:read orders:write"`,
            )
          : undefined;
      },
    });
    const { status, body } = await verify({ url: server.url });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      needsAuth: true,
      authorizationServer: expect.stringMatching(`^${server.origin}/?$`),
      scopes: ["orders:read", "orders:write"],
      message: "The server needs a sign-in. Sign in, or enter a token from its vendor.",
    });
  });

  it("that wants a credential and names nobody who signs in asks for a token", async () => {
    const server = await fake({ guard: () => unauthorized("Basic") });
    const { body } = await verify({ url: server.url });
    expect(body.data).toMatchObject({ needsAuth: true, authorizationServer: null });
  });

  it("shows what is said of a tool without what cannot be seen, and leaves out what is no tool", async () => {
    const hidden = "Finds\u200B an order.\u{E0041}\u202E \n\n  Then\u0000 more.";
    const list = {
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
      tools: [
        { name: "find", description: hidden, inputSchema: { type: "object" } },
        { name: "long", description: "x".repeat(5_000), inputSchema: { type: "object" } },
        { name: "has space", inputSchema: { type: "object" } },
        {
          name: "far",
          inputSchema: { type: "object", properties: { a: { $ref: "http://10.0.0.1/s.json" } } },
        },
      ],
    };
    const server = await fake({
      guard: async (request) => {
        const body = (await request.clone().json()) as { id: number; method: string };
        if (body.method !== "tools/list") return undefined;
        return Response.json({ jsonrpc: "2.0", id: body.id, result: list });
      },
    });
    const { body } = await verify({ url: server.url });
    const { tools, skipped } = body.data as {
      tools: { name: string; description: string }[];
      skipped: { name: string; reason: string }[];
    };
    expect(tools.map(({ description }) => description.slice(0, 40))).toEqual([
      "Finds an order. Then more.",
      "x".repeat(40),
    ]);
    expect(tools[1]?.description).toHaveLength(1_024);
    expect(skipped).toEqual([
      { name: "has space", reason: "its name is not 1 to 128 letters, digits, _, - and ." },
      { name: "far", reason: "its arguments' schema refers to another document" },
    ]);
  });

  it.each([
    ["an address inside", "http://10.0.0.1/mcp", 400, "blocked_address"],
    ["a page that is no server", undefined, 502, "vendor_rejected"],
    ["an address without a server", "http://127.0.0.1:9/mcp", 502, "vendor_failed"],
    ["a name with a password", "https://a:b@mcp.example/mcp", 400, "validation_failed"],
    ["no address", "ftp://mcp.example", 400, "validation_failed"],
  ])("at %s is refused", async (_what, url, status, code) => {
    const page = await fake({
      guard: () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } }),
    });
    const answer = await verify({ url: url ?? page.url });
    expect(answer.body).toMatchObject({ success: false, code });
    expect(answer.status).toBe(status);
  });

  it("follows no redirect to another host", async () => {
    const inside = await fake();
    const server = await fake({
      guard: () => new Response(null, { status: 307, headers: { location: inside.url } }),
    });
    const answer = await verify({ url: server.url });
    expect(answer.status).toBe(502);
    expect(inside.seen).toEqual([]);
  });
});

it("the directory has thirty servers, each with its facts", async () => {
  const { body } = await person.call("GET", `/api/orgs/${person.orgId}/mcp/directory`);
  const { servers, categories, total } = body.data as {
    servers: { id: string; url: string; auth: string; clientId: string | null; categories: string[] }[];
    categories: string[];
    total: number;
  };
  expect(total).toBe(30);
  expect(new Set(servers.map(({ id }) => id)).size).toBe(30);
  for (const { url, auth, clientId, categories: own } of servers) {
    expect(new URL(url).protocol).toBe("https:");
    expect(clientId !== null).toBe(auth === "oauth");
    expect(own.filter((category) => !categories.includes(category))).toEqual([]);
  }
});
