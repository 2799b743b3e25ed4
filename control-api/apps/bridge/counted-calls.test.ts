import { afterAll, beforeAll, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start();
});
afterAll(() => api.close());

it("what a frame asks of the server is usage of its app; what it may not ask is none", async () => {
  const person = await TestPerson.register(api);
  const appId = await installApp(person, { scopes: ["agents:read"] });
  const bridge = await TestBridge.open(person, appId);
  for (let nr = 0; nr < 3; nr++) await bridge.call("agents.list");
  await expect(bridge.call("data.list", { type: "note" })).rejects.toThrow();
  const usage = async () => {
    const { body } = await person.call("GET", `/api/orgs/${person.orgId}/usage?by=vendor`);
    return body.data;
  };
  await expect.poll(usage).toMatchObject({
    lines: [{ key: appId, name: "The app call-notes", metric: "app_calls", quantity: 3, amount: "0.00" }],
  });
});
