import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT, TestProduct } from "../../testkit/product.ts";

const run = promisify(execFile);

/** What somebody writes who has the document and nothing else of ours. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths } from "./parley.ts";

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });
const email = "generated@example.com";
const password = "a password of some length";

const registered = await client.POST("/api/auth/register", { body: { email, password, organizationName: "Generated" } });
if (!registered.data) throw new Error(registered.error.error);
const orgId = registered.data.data.organization.id;

const signedIn = await client.POST("/api/auth/login", { body: { email, password } });
if (!signedIn.data) throw new Error(signedIn.error.error);
client.use({
  onRequest({ request }) {
    request.headers.set("authorization", "Bearer " + signedIn.data.data.tokens.accessToken);
  },
});

const params = { header: { "X-Org-Id": orgId } };
const agent = await client.POST("/api/agents", {
  params,
  body: { name: "Generated", brain: { kind: "custom", url: "https://brain.example.com/turn" } },
});
if (!agent.data) throw new Error(agent.error.error);
const call = await client.POST("/api/sessions/init-web-call", { params, body: { agentId: agent.data.data.id } });
if (!call.data) throw new Error(call.error.error);
const { sessionId, websocketUrl } = call.data.data;
const refused = await client.POST("/api/agents", { params, body: { name: "", brain: { url: "" } } });
console.log(JSON.stringify({ orgId, sessionId, websocketUrl, refused: refused.error?.code }));
`;

const MISTAKES = `
import createClient from "openapi-fetch";
import type { paths } from "./parley.ts";

const client = createClient<paths>({ baseUrl: "" });
// @ts-expect-error A name is required.
await client.POST("/api/agents", { body: { brain: { kind: "custom", url: "https://brain.example.com" } } });
// @ts-expect-error Users name their organization.
await client.GET("/api/orgs/{orgId}/members", { params: { path: { orgId: "org_1" } } });
// @ts-expect-error There is no such path.
await client.GET("/api/nowhere");
`;

describe("a TypeScript client that is generated from the OpenAPI document", () => {
  let product: TestProduct;
  let dir: string;
  beforeAll(async () => {
    product = await TestProduct.start();
    dir = await mkdtemp(join(tmpdir(), "parley-client-"));
    const document = (await (await product.call("GET", "/docs/json")).json()) as Parameters<
      typeof openapiTS
    >[0];
    await symlink(join(ROOT, "node_modules"), join(dir, "node_modules"));
    await writeFile(join(dir, "package.json"), '{"type":"module"}');
    await writeFile(join(dir, "parley.ts"), astToString(await openapiTS(document)));
    await writeFile(join(dir, "first-call.ts"), PROGRAM);
    await writeFile(join(dir, "mistakes.ts"), MISTAKES);
  });
  afterAll(async () => {
    await product.remove();
    await rm(dir, { recursive: true, force: true });
  });

  it("type-checks, and refuses what the API would", async () => {
    const options = "--ignoreConfig --noEmit --strict --skipLibCheck --target es2022 --module nodenext";
    const more = "--allowImportingTsExtensions --types node --lib es2022,dom,dom.iterable";
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    const args = [...options.split(" "), ...more.split(" "), "first-call.ts", "mistakes.ts"];
    const { stdout } = await run(tsc, args, { cwd: dir }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  it("signs in, names the organization, creates an agent and starts a web call", async () => {
    const { stdout } = await run(process.execPath, ["first-call.ts", product.demo.baseUrl], { cwd: dir });
    expect(JSON.parse(stdout)).toEqual({
      orgId: expect.stringMatching(/^org_/),
      sessionId: expect.stringMatching(/^ses_/),
      websocketUrl: expect.stringMatching(/^ws:/),
      refused: "validation_failed",
    });
  });
});
