import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { startFakeZendesk, ZENDESK } from "../../../testkit/fakes/connectors/zendesk.ts";
import { TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
let help: Awaited<ReturnType<typeof startFakeZendesk>>;

beforeAll(async () => {
  help = await startFakeZendesk();
  api = await TestControlApi.start({
    env: { INTEGRATION_URLS: `zendesk=${help.url}` },
    allowPrivateTargets: ["127.0.0.0/8"],
  });
});
afterAll(async () => {
  await api.close();
  help.close();
});

interface Connection {
  readonly id: string;
  readonly warnings: string[];
  readonly usedBy: { readonly agentId: string; readonly name: string; readonly isPinned: boolean }[];
}

const pathOf = ({ orgId }: TestPerson) => `/api/orgs/${orgId}/integrations/connections`;
async function connect(owner: TestPerson, body: object): Promise<string> {
  const { body: answer, text } = await owner.call("POST", pathOf(owner), body);
  const data = answer.data as { connection: { id: string } } | undefined;
  if (!data) throw new Error(text);
  return data.connection.id;
}
const zendesk = (name: string) => ({
  providerId: "zendesk",
  credentials: ZENDESK.basic,
  settings: { url: `https://${name}.zendesk.com` },
});
async function agent(owner: TestPerson, name: string, tools: object[]): Promise<string> {
  const brain = { url: "https://93.184.215.14/brain", tools };
  const { body, text } = await owner.call("POST", "/api/agents", { name, brain });
  const data = body.data as { id: string } | undefined;
  if (!data) throw new Error(text);
  return data.id;
}
async function listed(owner: TestPerson): Promise<Connection[]> {
  const { body } = await owner.call("GET", pathOf(owner));
  return (body.data as { connections: Connection[] }).connections;
}

it("shows who uses a connection: those that chose it, and those that take the newest that works", async () => {
  const owner = await TestPerson.register(api);
  const older = await connect(owner, zendesk("shoes"));
  const newer = await connect(owner, zendesk("boots"));
  const tool = { kind: "connector", name: "ticket", capability: "ticket.lookup" };
  const pinned = await agent(owner, "Pinned", [{ ...tool, connectionId: older }]);
  const free = await agent(owner, "Free", [tool]);
  await agent(owner, "Of something else", [{ ...tool, capability: "order.lookup" }]);
  const uses = async () => Object.fromEntries((await listed(owner)).map(({ id, usedBy }) => [id, usedBy]));
  const [byPin, byAge] = [
    { agentId: pinned, name: "Pinned", isPinned: true },
    { agentId: free, name: "Free", isPinned: false },
  ];
  expect(await uses()).toEqual({ [older]: [byPin], [newer]: [byAge] });
  await api.database.db
    .updateTable("integration_connections")
    .set({ status: "error" })
    .where("id", "=", newer)
    .execute();
  expect(await uses()).toEqual({ [older]: [byAge, byPin], [newer]: [] });
  const one = await owner.call("GET", `${pathOf(owner)}/${older}`);
  expect(one.body.data).toMatchObject({ usedBy: [byAge, byPin] });
  const refused = await owner.call("DELETE", `${pathOf(owner)}/${older}`);
  expect(refused).toMatchObject({
    status: 409,
    body: { details: { usedBy: [{ agentId: pinned, name: "Pinned" }] } },
  });
});

it("is not deleted while it is the last one that an agent which chose none can act in", async () => {
  const owner = await TestPerson.register(api);
  const older = await connect(owner, zendesk("shoes"));
  const newer = await connect(owner, zendesk("boots"));
  const free = await agent(owner, "Free", [{ kind: "connector", name: "t", capability: "ticket.lookup" }]);
  expect((await owner.call("DELETE", `${pathOf(owner)}/${newer}`)).status).toBe(200);
  const refused = await owner.call("DELETE", `${pathOf(owner)}/${older}`);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining("agent Free"), details: { usedBy: [{ agentId: free }] } },
  });
  await owner.call("PATCH", `/api/agents/${free}`, { brain: { tools: null } });
  expect((await owner.call("DELETE", `${pathOf(owner)}/${older}`)).status).toBe(200);
});

it("shows what the vendor warned of", async () => {
  const owner = await TestPerson.register(api);
  await connect(owner, zendesk("shoes"));
  expect(await listed(owner)).toMatchObject([{ warnings: [expect.stringContaining("April 30, 2027")] }]);
});

it("names no agents of other organizations", async () => {
  const [owner, other] = [await TestPerson.register(api), await TestPerson.register(api)];
  await connect(owner, zendesk("shoes"));
  await connect(other, zendesk("shoes"));
  await agent(other, "Theirs", [{ kind: "connector", name: "ticket", capability: "ticket.lookup" }]);
  expect(await listed(owner)).toMatchObject([{ usedBy: [] }]);
  const [theirs] = await listed(other);
  expect((await owner.call("GET", `${pathOf(owner)}/${theirs?.id}`)).status).toBe(404);
});

it("keeps one of the last two that can do the same, when both are deleted at once", async () => {
  const owner = await TestPerson.register(api);
  const ids = [await connect(owner, zendesk("left")), await connect(owner, zendesk("right"))];
  await agent(owner, "Free", [{ kind: "connector", name: "ticket", capability: "ticket.lookup" }]);
  const answers = await Promise.all(ids.map((id) => owner.call("DELETE", `${pathOf(owner)}/${id}`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await listed(owner)).toHaveLength(1);
});
