import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../../testkit/control-api.ts";
import { flowOf } from "../../../../testkit/flows.ts";
import { TestMembers } from "../../../../testkit/members.ts";

describe("rehearsals in speech", () => {
  let api: TestControlApi;
  let members: TestMembers;
  let path: string;
  let agentId: string;
  beforeAll(async () => {
    api = await TestControlApi.start();
    members = await TestMembers.create(api);
    const flow = flowOf({ bye: { type: "end", text: "Bye." } });
    const made = await ask("POST", "/api/agents", { name: "Ada", brain: { kind: "flow", flow } });
    agentId = String((made.body.data as { id: string }).id);
    path = `/api/agents/${agentId}/simulations`;
  });
  afterAll(() => api.close());

  const ask = (method: "GET" | "POST", address: string, body?: object) =>
    members.people.developer.call(method, address, body, members.orgId);
  const scenario = (caller: object) => ({ name: "x", caller, criteria: [{ kind: "ends" }] });
  const scenarios = [scenario({ otherwise: ["Hi"] })];

  it.each([
    ["noise without speech", { noise: { sound: "cafe" }, scenarios }, "only with mode speech"],
    [
      "noise of a place that nobody made",
      { mode: "speech", noise: { sound: "train" }, scenarios },
      "noise.sound",
    ],
    [
      "noise above the voice",
      { mode: "speech", noise: { sound: "cafe", volumeDb: 21 }, scenarios },
      "volumeDb",
    ],
    ["a mode of its own", { mode: "song", scenarios }, "mode"],
    ["a voice that is none", { mode: "speech", scenarios: [scenario({ voice: "eve" })] }, "caller.voice"],
  ])("are refused with %s", async (_, body, reason) => {
    const { status, body: answer } = await ask("POST", path, body);
    expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringContaining(reason)]);
  });

  it("are refused to keys, and where no gateway recognizes speech; they wait for none", async () => {
    const body = { mode: "speech", scenarios };
    expect((await api.call("POST", path, { key: members.keys.owner, body })).status).toBe(401);
    await api.registerNode();
    const { status, body: answer } = await ask("POST", path, body);
    expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringContaining("recognizes speech")]);
    expect((await ask("GET", path)).body.data).toMatchObject({ total: 0 });
  });

  it("are no call that anybody else can begin: a call's body says nothing of tools or of a channel", async () => {
    for (const extra of [{ channel: "simulation" }, { tools: [] }, { rehearsal: {} }]) {
      const asked = { key: members.keys.owner, body: { agentId, ...extra } };
      expect((await api.call("POST", "/api/sessions/init-web-call", asked)).status).toBe(400);
    }
  });
});
