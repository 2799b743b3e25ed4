import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { TestControlApi } from "../testkit/control-api.ts";
import { TestPerson } from "../testkit/person.ts";
import { ROOT } from "../testkit/product.ts";

const PACKAGE = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
const LOOPBACK = ["127.0.0.0/8", "::1/128"];
/** As long as a busy machine needs. */
const CLIENT_MS = 100_000;
/** Enough for a tool that a busy machine is asked for. */
const TOOL_MS = 15_000;
const LONG = { timeout: 2 * CLIENT_MS };

/** Scenarios that are not passed on purpose: docs/tool-servers.md#conformance says why. */
const NOBODY = [
  ...["auth/client-credentials-basic", "auth/client-credentials-jwt", "auth/dpop", "auth/dpop-nonce"],
  ...["auth/enterprise-managed-authorization", "auth/wif-jwt-bearer"],
];
const EXPLAINED: Readonly<Record<string, readonly string[]>> = {
  "2026-07-28": ["auth/basic-cimd", ...NOBODY, "sep-2322-client-request-state"],
  "2025-11-25": ["auth/basic-cimd", ...NOBODY, "elicitation-sep1034-client-defaults"],
};
const PAGE = readFileSync(join(ROOT, "docs/tool-servers.md"), "utf8");

const contextSchema = z.looseObject({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).optional(),
});
type Context = z.infer<typeof contextSchema>;
const checksSchema = z.array(z.looseObject({ name: z.string(), status: z.string() }));

/** Somebody of an organization who uses a server as people do: looks at it, signs in, tries each of its tools. */
class Visitor {
  readonly #person: TestPerson;
  readonly #api: TestControlApi;

  constructor(api: TestControlApi, person: TestPerson) {
    this.#api = api;
    this.#person = person;
  }

  /** A server that watches one session: its tool is called, and no more. */
  async callOnly(url: string, name: string): Promise<string> {
    return this.#try({ url }, { name, arguments: {} });
  }

  async visit(url: string, { toolCalls }: Context): Promise<string> {
    const path = `/api/orgs/${this.#person.orgId}/mcp`;
    const look = async (body: object) => {
      const answer = await this.#person.call("POST", `${path}/verify`, { url, ...body });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body.data as { needsAuth: boolean; tools: { name: string; inputSchema: object }[] };
    };
    let seen = await look({});
    let config: object = { url };
    let mcpConnectionId: string | undefined;
    if (seen.needsAuth) {
      mcpConnectionId = await this.#signIn({ url });
      config = { mcpConnectionId };
      // Where people sign in may have changed since.
      seen = await look(config).catch(async () => {
        await this.#signIn({ url, mcpConnectionId });
        return look(config);
      });
    }
    const schema = seen.tools.find(({ name }) => name === "json_schema_2020_12_tool")?.inputSchema;
    const args = schema ? { schema } : { a: 2, b: 3 };
    const calls = toolCalls ?? seen.tools.map(({ name }) => ({ name, arguments: args }));
    const said: string[] = [];
    for (const call of calls) {
      let result = await this.#try(config, call);
      // What a person does who reads that the sign-in is over, or was for less.
      if (/insufficient_scope|needs_sign_in/.test(result)) {
        await this.#signIn({ url, mcpConnectionId });
        result = await this.#try(config, call);
      }
      said.push(result);
    }
    return said.join("\n");
  }

  async #try(config: object, call: { name: string; arguments: object }): Promise<string> {
    const tool = { kind: "mcp", name: "tried", config: { ...config, tool: call.name }, timeoutMs: TOOL_MS };
    const path = `/api/orgs/${this.#person.orgId}/tools/try`;
    return (await this.#person.call("POST", path, { tool, arguments: call.arguments })).text;
  }

  /** There and back, as a browser goes. */
  async #signIn(body: object): Promise<string> {
    const path = `/api/orgs/${this.#person.orgId}/mcp/oauth/start`;
    const started = await this.#person.call("POST", path, body);
    if (started.status !== 200) throw new Error(started.text);
    const { authorizeUrl = "", mcpConnectionId = "" } = started.body.data as Record<string, string>;
    const cookie = started.headers.get("set-cookie")?.split(";")[0] ?? "";
    const { headers } = await fetch(authorizeUrl, { redirect: "manual" });
    const back = new URL(headers.get("location") ?? "", this.#api.api.baseUrl);
    const done = await this.#api.call("GET", back.pathname + back.search, { headers: { cookie } });
    if (done.status !== 200) throw new Error(done.text);
    return mcpConnectionId;
  }
}

describe("the official conformance package, with the control API as its client", () => {
  let api: TestControlApi;
  let visitor: Visitor;
  let listening: string;
  let close: () => void;

  beforeAll(async () => {
    api = await TestControlApi.start({ allowPrivateTargets: LOOPBACK });
    visitor = new Visitor(api, await TestPerson.register(api));
    const server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://test");
      const known = contextSchema.parse(JSON.parse(searchParams.get("context") || "{}"));
      const url = [...searchParams.keys()].at(-1) ?? "";
      const visits: Record<string, () => Promise<string>> = {
        "/auth/pre-registration": () => visitRegistered(url, known),
        "/sse-retry": () => visitor.callOnly(url, "test_reconnection"),
      };
      const visited = (visits[pathname] ?? (() => visitor.visit(url, known)))();
      const [status, said] = await visited.then(
        (result) => [200, result] as const,
        (error: Error) => [500, error.message] as const,
      );
      response.writeHead(status).end(said);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    listening = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => server.close();
  });
  afterAll(async () => {
    close();
    await api.close();
  });

  it.each(Object.keys(EXPLAINED))(
    "passes what %s requires of clients, but what is explained",
    LONG,
    async (revision) => {
      const folder = mkdtempSync(join(tmpdir(), "parley-conformance-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      await run(["--requirements", revision, "--command", commandAt(listening), "-o", folder]);
      const files = globSync("**/checks.json", { cwd: folder });
      expect(files.length).toBeGreaterThan(15);
      const failed = files.flatMap((file) =>
        checksSchema
          .parse(JSON.parse(readFileSync(join(folder, file), "utf8")))
          .filter(({ status }) => status === "FAILURE" || status === "WARNING")
          .map((check) => ({ scenario: file.replace(/-\d{4}-\d\d-\d\dT.*$/, ""), ...check })),
      );
      const names = [...new Set(failed.map(({ scenario }) => scenario))].sort();
      expect(names, JSON.stringify(failed, null, 1)).toEqual(EXPLAINED[revision]?.toSorted());
      for (const name of names) expect(PAGE).toContain(`\`${name}\``);
    },
  );
});

/** Where the operator registered Parley with the server's authorization server. */
async function visitRegistered(url: string, context: Context): Promise<string> {
  const metadata = await fetch(new URL("/.well-known/oauth-protected-resource/mcp", url));
  const { authorization_servers: [issuer = ""] = [] } = (await metadata.json()) as {
    authorization_servers?: string[];
  };
  const client = { provider: issuer, clientId: context.client_id, clientSecret: context.client_secret };
  const api = await TestControlApi.start({
    allowPrivateTargets: LOOPBACK,
    env: { OAUTH_CLIENTS: JSON.stringify([client]) },
  });
  try {
    return await new Visitor(api, await TestPerson.register(api)).visit(url, context);
  } finally {
    await api.close();
  }
}

/** What the package runs as the client of a scenario, with the server's address behind it: it tells the test. */
function commandAt(listening: string): string {
  const context = '--data-urlencode "context=$MCP_CONFORMANCE_CONTEXT"';
  return `curl -sS -G ${listening}/$MCP_CONFORMANCE_SCENARIO ${context} --data-urlencode`;
}

async function run(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [PACKAGE, "client", "--timeout", String(CLIENT_MS), ...args], {
    cwd: ROOT,
    stdio: "ignore",
  });
  await once(child, "close");
}
