import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestBrain } from "../../testkit/brain.ts";
import { needs } from "../../testkit/needs.ts";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";
import { Installation } from "./support/installation.ts";
import { DRILL } from "./support/sizes.ts";

const NEVER_ANSWERED = "Think about it";
/** The lease of what was killed runs out, and a sweep comes. */
const FREED_WITHIN = { timeout: 90_000, interval: 500 };

describe.runIf(needs("redis") && needs("postgres"))("A control API killed while it generates a reply", () => {
  let parley: Installation;
  let brain: TestBrain;
  let organization: TestOrganization;
  beforeAll(async () => {
    parley = await Installation.start();
    brain = await TestBrain.start((turn) => {
      if (turn.request.query === NEVER_ANSWERED) return;
      turn.token("I hear you.");
      turn.done();
    });
  });
  afterAll(async () => {
    brain.close();
    await parley.remove();
  });

  it("leaves a chat that another goes on with, and one that was to end ends once", DRILL, async () => {
    const killed = await parley.startControlApi();
    const ofKilled = parley.apiUrl;
    organization = await createOrganization(parley.database, {
      brain: { url: brain.url, firstTokenTimeoutMs: 60_000 },
    });
    const goesOn = await begin(ofKilled);
    const toEnd = await begin(ofKilled);
    await parley.startControlApi();
    const asked = [goesOn, toEnd].map((sessionId) =>
      say(ofKilled, NEVER_ANSWERED, sessionId).catch(() => undefined),
    );
    await expect.poll(() => brain.queries.filter((query) => query === NEVER_ANSWERED)).toHaveLength(2);
    expect((await say(parley.apiUrl, "And now?", goesOn)).status).toBe(409);
    expect((await post(parley.apiUrl, `/api/v1/chat/${toEnd}/end`)).status).toBe(200);
    await killed.kill();
    await Promise.all(asked);

    const again = async () => (await say(parley.apiUrl, "And now?", goesOn)).status;
    await expect.poll(again, FREED_WITHIN).toBe(200);
    const types = async (sessionId: string) => (await parley.recorded(sessionId)).map(({ type }) => type);
    const turn = ["call.message", "call.message"];
    await expect.poll(() => types(toEnd), FREED_WITHIN).toEqual(["call.started", ...turn, "call.ended"]);
    await expect.poll(() => types(goesOn), FREED_WITHIN).toEqual(["call.started", ...turn, ...turn]);
  });

  async function begin(apiUrl: string): Promise<string> {
    const response = await say(apiUrl, "Hello?");
    return ((await response.json()) as { sessionId: string }).sessionId;
  }

  function say(apiUrl: string, input: string, sessionId?: string): Promise<Response> {
    return post(apiUrl, "/api/v1/chat", {
      agentId: organization.agentId,
      identifier: "customer-7",
      input,
      sessionId,
    });
  }

  function post(apiUrl: string, path: string, body: object = {}): Promise<Response> {
    return fetch(apiUrl + path, {
      method: "POST",
      headers: { "x-api-key": organization.keys.developer, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }
});
