import { expect, it } from "vitest";
import { TestBrain } from "../../../testkit/brain.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";

it("A control API that closes answers what is under way, and keeps no connection for more", async () => {
  const api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  const asked = Promise.withResolvers<() => void>();
  const brain = await TestBrain.start((turn) => asked.resolve(() => turn.done()));
  const { agentId, keys } = await api.createOrganization({ brain: { url: brain.url } });
  const body = { query: "Hello?" };
  const test = api.call("POST", `/api/agents/${agentId}/test-brain`, { key: keys.owner, body });
  const answerIt = await asked.promise;
  const closed = api.close();
  answerIt();
  expect((await test).status).toBe(200);
  // The client keeps its end open: it does not know that this was the last answer.
  await closed;
  brain.close();
});
