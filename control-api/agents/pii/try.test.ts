import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";

let api: TestControlApi;
let owner: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start();
  owner = await TestPerson.register(api);
});
afterAll(() => api.close());

const path = (end = "") => `/api/orgs/${owner.orgId}/pii-policy${end}`;

describe("trying a PII policy", () => {
  it("shows what it would mask, and does not change the policy", async () => {
    const policy = {
      country: "US",
      rules: [{ rule: "card_number", mask: "[card]" }, { rule: "email" }],
      patterns: [{ name: "customer", pattern: "CU-####" }],
    };
    const text = "It is 4111 1111 1111 1111, ada@example.com, cu 1234; room 4111.";
    const tried = await owner.call("POST", path("/try"), { policy, text });
    expect(tried.body.data).toEqual({ masked: "It is [card], [email], [customer]; room 4111." });
    expect((await owner.call("GET", path())).body.data).toMatchObject({ rules: [{ rule: "card_number" }] });
  });

  it.each([
    [{ text: "x" }, "policy"],
    [{ policy: { rules: [{ rule: "shoe_size" }] }, text: "x" }, "rule"],
    [{ policy: { rules: [] }, text: "x".repeat(4_001) }, "text"],
  ])("refuses %.60j by name", async (body, named) => {
    const refused = await owner.call("POST", path("/try"), body);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain(named);
  });
});
