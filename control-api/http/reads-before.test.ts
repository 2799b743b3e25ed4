import { afterAll, beforeAll, expect, it } from "vitest";
import { TestControlApi } from "../../testkit/control-api.ts";
import { TestPerson } from "../../testkit/person.ts";

let api: TestControlApi;
let person: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start();
  person = await TestPerson.register(api);
});
afterAll(() => api.close());

it.each(["calls", "recordings", "audit", "memory", "campaigns"])(
  "a page of %s before what is no entry of it is refused: it would be empty, or the first one again",
  async (list) => {
    const path = `/api/orgs/${person.orgId}/${list}`;
    expect((await person.call("GET", path)).status).toBe(200);
    for (const before of ["ses_1", "abc", "~", ""]) {
      const { status, body } = await person.call("GET", `${path}?before=${before}`);
      expect(status, before).toBe(400);
      expect(body.details).toMatchObject({ fields: { before: expect.any(String) } });
    }
  },
);
