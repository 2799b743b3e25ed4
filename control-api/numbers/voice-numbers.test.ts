import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../tests/support/control-api.ts";
import { TestMembers } from "../../tests/support/members.ts";

let api: TestControlApi;
let members: TestMembers;
beforeAll(async () => {
  api = await TestControlApi.start();
  members = await TestMembers.create(api);
});
afterAll(() => api.close());

it("somebody signed in adds a number, gives it to an agent and takes it back", async () => {
  const developer = members.people.developer;
  const ask = (method: string, path: string, body?: unknown) =>
    developer.call(method, path, body, members.orgId);
  const added = await ask("POST", "/api/voice/numbers", { number: "+12025550123", label: "Front desk" });
  expect(added).toMatchObject({ status: 201, body: { data: { carrier: "loopback", agentId: null } } });
  const { id } = added.body.data as { id: string };
  const given = await ask("PATCH", `/api/voice/numbers/${id}`, { agentId: members.agentId });
  expect(given.body).toMatchObject({ success: true, data: { id, agentId: members.agentId } });
  const list = await ask("GET", "/api/voice/numbers");
  expect(list.body).toMatchObject({ data: { numbers: [{ id, agentId: members.agentId }], total: 1 } });
  const byKey = await api.call("GET", "/api/v1/numbers", { key: members.keys.viewer });
  expect(byKey.body).toMatchObject({ numbers: [{ id, agentId: members.agentId }] });
  const taken = await ask("PATCH", `/api/voice/numbers/${id}`, { agentId: null });
  expect(taken.body).toMatchObject({ data: { agentId: null } });
});

it("a number is allocated to a member who may call, and to no other", async () => {
  const ask = (method: string, path: string, body: unknown) =>
    api.call(method, path, { key: members.keys.owner, body });
  const userId = members.people.viewer.userId;
  const refusal = {
    status: 400,
    body: { code: "bad_request", error: expect.stringContaining("role viewer") },
  };
  expect(await ask("POST", "/api/v1/numbers", { number: "+12025550124", userId })).toMatchObject(refusal);
  const allocated = { number: "+12025550124", userId: members.people.developer.userId };
  const added = await ask("POST", "/api/v1/numbers", allocated);
  expect(added).toMatchObject({ status: 201, body: allocated });
  expect(await ask("PATCH", `/api/v1/numbers/${added.body.id}`, { userId })).toMatchObject(refusal);
});
