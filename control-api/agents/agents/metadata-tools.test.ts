import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { Everything } from "../../../testkit/mcp-servers.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";

let api: TestControlApi;
let acme: TestOrganization;
let server: Everything;

beforeAll(async () => {
  server = await Everything.start();
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  acme = await api.createOrganization();
});
afterAll(async () => {
  await api.close();
  server.close();
});

interface Shown {
  readonly id: string;
  readonly brain: { readonly tools: unknown };
  readonly metadata: unknown;
}
async function call(method: string, path: string, body?: unknown) {
  const key = acme.keys.developer;
  const { status, text, body: answer } = await api.call(method, path, body ? { key, body } : { key });
  return { status, text, body: answer as { readonly data: Shown; readonly error: string } };
}
const brain = { url: "https://brain.example/turn" };
const echo = (name = "echo") => ({ kind: "mcp", name, config: { url: server.url, tool: "echo" } });
const create = (more: object) => call("POST", "/api/agents", { name: "Anna", brain, ...more });

describe("metadata.tools of an agent", () => {
  it("is the list of brain.tools, whichever of the two it was written as", async () => {
    const { status, text, body } = await create({ metadata: { tools: [echo()] } });
    expect(status, text).toBe(201);
    expect(body.data.brain.tools).toMatchObject([echo()]);
    expect(body.data.metadata).toEqual({ tools: body.data.brain.tools });
    const path = `/api/agents/${body.data.id}`;
    const changed = await call("PATCH", path, { metadata: { tools: [echo("say")] } });
    expect(changed.body.data.brain).toMatchObject({ ...brain, tools: [echo("say")] });
    const inBrain = await call("PATCH", path, { brain: { tools: [echo("repeat")] } });
    expect(inBrain.body.data.metadata).toMatchObject({ tools: [echo("repeat")] });
    const emptied = await call("PATCH", path, { metadata: { tools: null } });
    expect(emptied.body.data.metadata).toEqual({ tools: [] });
    expect((await call("GET", path)).body.data).toMatchObject({
      brain: { tools: [] },
      metadata: { tools: [] },
    });
  });

  it("is held against what the server has, and what the brain can use", async () => {
    const missing = await create({
      metadata: { tools: [{ ...echo("nothing"), config: { url: server.url } }] },
    });
    expect(missing).toMatchObject({ status: 400, body: { error: expect.stringContaining("brain.tools.0") } });
    const local = await create({ metadata: { tools: [{ kind: "end_call" }] } });
    expect(local).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("brain.tools.0.kind") },
    });
  });

  it("cannot be written together with brain.tools, nor can anything else be in metadata", async () => {
    const twice = await create({ brain: { ...brain, tools: [echo()] }, metadata: { tools: [] } });
    const { id } = (await create({})).body.data;
    const change = { brain: { tools: [] }, metadata: { tools: [] } };
    for (const answer of [twice, await call("PATCH", `/api/agents/${id}`, change)])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining("metadata.tools") },
      });
    expect(await create({ metadata: { color: "red" } })).toMatchObject({ status: 400 });
  });
});
