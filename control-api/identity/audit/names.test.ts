import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { namesIn } from "./names.ts";

let api: TestControlApi;
let owner: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start();
  owner = await TestPerson.register(api);
});
afterAll(() => api.close());

const namesOf = async (person: TestPerson) =>
  (
    (await person.call("GET", `/api/orgs/${person.orgId}/audit`)).body.data as {
      names: Record<string, string>;
    }
  ).names;

describe("the audit log names", () => {
  it("an agent by its name of now, and a deleted one by its last, to its own organization only", async () => {
    const agent = async (name: string) => {
      const body = { name, brain: { url: "https://brain.example/turn" } };
      const { id } = (await owner.call("POST", "/api/agents", body)).body.data as { id: string };
      expect((await owner.call("PATCH", `/api/agents/${id}`, { name: `${name} 2` })).status).toBe(200);
      return id;
    };
    const [kept, deleted] = [await agent("Anna"), await agent("Berta")];
    expect((await owner.call("DELETE", `/api/agents/${deleted}`)).status).toBe(200);
    expect(await namesOf(owner)).toMatchObject({ [kept]: "Anna 2", [deleted]: "Berta 2" });

    const other = await TestPerson.register(api);
    const ids = [kept, deleted, "app_0", "chn_0", "con_0", "key_0", "mcp_0", "whk_0"];
    const about = [{ actor_kind: "system", actor_id: null, details: { ids } }];
    expect(await namesIn(api.database, other.orgId, about)).toEqual({});
    expect(Object.keys(await namesIn(api.database, owner.orgId, about))).toEqual([kept, deleted]);
  });
});
