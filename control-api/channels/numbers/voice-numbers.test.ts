import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestMembers } from "../../../testkit/members.ts";

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

it("a carrier's number is its organization's own until that gives it up", async () => {
  const other = await api.createOrganization();
  const number = "+12025550125";
  const as = (key: string, method: string, path = "", body?: unknown) =>
    api.call(method, `/api/v1/numbers${path}`, { key, ...(body === undefined ? {} : { body }) });
  const seenBy = async (key: string) =>
    ((await as(key, "GET")).body.numbers as { number: string }[]).filter((one) => one.number === number)
      .length;
  const ours = members.keys.developer;
  const added = await as(ours, "POST", "", { number, carrier: "twilio" });
  const path = `/${added.body.id}`;
  expect([await seenBy(ours), await seenBy(other.keys.viewer)]).toEqual([1, 0]);
  const taken = { status: 409, body: { code: "conflict", error: expect.stringContaining("already in use") } };
  expect(await as(other.keys.owner, "POST", "", { number, carrier: "twilio" })).toMatchObject(taken);
  const { agentId } = other;
  expect((await as(other.keys.owner, "PATCH", path, { agentId })).status).toBe(404);
  expect(await as(ours, "PATCH", path, { agentId })).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining(agentId) },
  });
  expect((await as(other.keys.owner, "DELETE", path)).status).toBe(404);
  const givenUp = { status: 200, body: { id: added.body.id, deleted: true } };
  expect(await as(ours, "DELETE", path)).toMatchObject(givenUp);
  expect((await as(other.keys.owner, "POST", "", { number, carrier: "twilio" })).status).toBe(201);
  expect([await seenBy(ours), await seenBy(other.keys.viewer)]).toEqual([0, 1]);
});

it("a simulated number exists once in each organization", async () => {
  const other = await api.createOrganization();
  const body = { number: "+12025550126" };
  for (const key of [members.keys.owner, other.keys.owner]) {
    const statuses = [];
    for (let time = 0; time < 2; time++)
      statuses.push((await api.call("POST", "/api/v1/numbers", { key, body })).status);
    expect(statuses).toEqual([201, 409]);
  }
});
