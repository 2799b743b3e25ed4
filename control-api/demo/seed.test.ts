import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@parley/shared/clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { seedDemo } from "./seed.ts";

let api: TestControlApi;
let dataDir: string;
beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true });
  dataDir = await mkdtemp(join(tmpdir(), "parley-demo-"));
});
afterAll(async () => {
  await api.close();
  await rm(dataDir, { recursive: true });
});

/** Organizations that got the demo shop. */
const connected: string[] = [];

/** As a start of the product does it, with the example brain on this port. */
const start = (port: number) =>
  seedDemo({
    database: api.database,
    clock: systemClock,
    dataDir,
    baseUrl: api.api.baseUrl,
    gatewayUrl: "ws://gateway.example",
    brainUrl: `http://127.0.0.1:${port}/`,
    connectDemoShop: async ({ orgId }) => void connected.push(orgId),
  });

describe("the demo's agent", () => {
  it("follows the example brain from start to start, until somebody gives it another; the rest is theirs", async () => {
    const { agentId, apiKey } = await start(9_001);
    const read = async () => (await api.call("GET", `/api/agents/${agentId}`, { key: apiKey })).body.data;
    const change = (body: unknown) => api.call("PATCH", `/api/agents/${agentId}`, { key: apiKey, body });
    expect(await read()).toMatchObject({ version: 1, brain: { url: "http://127.0.0.1:9001/" } });
    const { orgId } = await start(9_001);
    expect(await read()).toMatchObject({ version: 1 });
    expect(connected).toEqual([orgId]);
    await change({ firstResponse: "Good day." });
    expect((await start(9_002)).agentId).toBe(agentId);
    expect(await read()).toMatchObject({
      version: 3,
      brain: { url: "http://127.0.0.1:9002/" },
      firstResponse: "Good day.",
    });
    await change({ brain: { url: "https://brain.example/" } });
    await start(9_003);
    expect(await read()).toMatchObject({ version: 4, brain: { url: "https://brain.example/" } });
  });

  it("is made again at the next start when it was deleted", async () => {
    const { agentId, apiKey } = await start(9_001);
    expect((await api.call("DELETE", `/api/agents/${agentId}`, { key: apiKey })).status).toBe(200);
    const again = await start(9_001);
    expect(again.agentId).not.toBe(agentId);
    expect(again.apiKey).toBe(apiKey);
    const answer = await api.call("GET", `/api/agents/${again.agentId}`, { key: apiKey });
    expect(answer.body.data).toMatchObject({ name: "Receptionist", version: 1 });
  });
});
