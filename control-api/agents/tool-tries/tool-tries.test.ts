import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { memberOnly } from "../../../testkit/members.ts";
import { TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
let owner: TestPerson;
let connectionId: string;

beforeAll(async () => {
  api = await TestControlApi.start();
  owner = await TestPerson.register(api);
  connectionId = await connectShop(owner);
});
afterAll(() => api.close());

async function connectShop(person: TestPerson): Promise<string> {
  const path = `/api/orgs/${person.orgId}/integrations/connections`;
  const { body } = await person.call("POST", path, { providerId: "demo-shop" });
  return (body.data as { connection: { id: string } }).connection.id;
}
const find = { kind: "connector", name: "find_order", capability: "order.lookup" };
const tryIt = (tool: object, given: object, person = owner) =>
  person.call("POST", `/api/orgs/${owner.orgId}/tools/try`, { tool, arguments: given });

it("runs a tool that no agent has yet, and says what the model would be given and how long it took", async () => {
  const { status, body, headers } = await tryIt({ ...find, connectionId }, { orderNumber: "1001" });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { data: { status: "success", result: { orders: [{ number: "1001" }] } } },
  });
  expect((body.data as { tookMs: number }).tookMs).toBeGreaterThanOrEqual(0);
  expect(headers.get("cache-control")).toBe("no-store");
});

it("puts what the builder fixed over what is entered", async () => {
  const { body } = await tryIt({ ...find, bind: { orderNumber: "1001" } }, { orderNumber: "1002" });
  expect(body.data).toMatchObject({ result: { orders: [{ number: "1001" }] } });
});

it("tells a vendor's refusal as the model would get it", async () => {
  const { status, body } = await tryIt(find, {});
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    status: "error",
    result: { error: { code: "invalid_arguments", message: expect.stringContaining("orderNumber") } },
  });
});

it("names the setting that cannot be", async () => {
  const other = await TestPerson.register(api);
  const theirs = await connectShop(other);
  const { status, body } = await tryIt({ ...find, connectionId: theirs }, { orderNumber: "1001" });
  expect(status).toBe(400);
  expect(body.details).toMatchObject({
    fields: { "tool.connectionId": "there is no such connection in this organization" },
  });
  expect((await tryIt({ ...find, bind: { color: "red" } }, {})).body.details).toMatchObject({
    fields: { "tool.bind": expect.stringContaining("color is no argument of it") },
  });
});

it("is for those who may change agents, and is written down without what was entered", async () => {
  const member = await memberOnly(api, owner.orgId, "member");
  const refused = await member.call(
    "POST",
    `/api/orgs/${owner.orgId}/tools/try`,
    { tool: find, arguments: {} },
    owner.orgId,
  );
  expect(refused.status).toBe(403);
  await tryIt(find, { orderNumber: "1001" });
  const entries = await api.database.db
    .selectFrom("audit_events")
    .select("details")
    .where("action", "=", "tool.tried")
    .execute();
  expect(entries.at(-1)?.details).toEqual({ kind: "connector", tool: "find_order", status: "success" });
});

it("lists what can be tried with the arguments that each takes", async () => {
  const { body } = await owner.call("GET", `/api/orgs/${owner.orgId}/integrations/capabilities`);
  const { capabilities } = body.data as { capabilities: { capability: string }[] };
  expect(capabilities.find(({ capability }) => capability === "booking.reschedule")).toMatchObject({
    isWrite: true,
    arguments: {
      properties: { id: { type: "string" }, start: { type: "string" } },
      required: ["id", "start"],
    },
    providerIds: expect.arrayContaining(["demo-shop"]),
  });
});
