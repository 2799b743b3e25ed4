import { afterAll, beforeAll, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { SteppingClock } from "../../../testkit/stepping-clock.ts";

/** Together more than is on its way to somebody who does not read. */
const FILES = 12;
const FILE_BYTES = 2_000_000;

const clock = new SteppingClock();
let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true, clock });
});
afterAll(() => api.close());

it("an export breaks off soon after whoever downloads it has signed out", { timeout: 90_000 }, async () => {
  const person = await TestPerson.register(api);
  const appId = await installApp(person, { scopes: ["files:write"] });
  const bridge = await TestBridge.open(person, appId);
  const content = "x".repeat(FILE_BYTES);
  for (let nr = 0; nr < FILES; nr++) await bridge.callWithBytes("files.put", { path: `${nr}.txt` }, content);
  const response = await fetch(`${api.api.baseUrl}/api/orgs/${person.orgId}/apps/${appId}/export`, {
    headers: { authorization: `Bearer ${person.accessToken}`, "x-org-id": person.orgId },
  });
  expect(response.status).toBe(200);
  expect((await person.call("POST", "/api/auth/logout")).status).toBe(200);
  clock.pass(15_000);
  let bytes = 0;
  const read = async () => {
    for await (const chunk of response.body ?? []) bytes += chunk.length;
  };
  await expect(read()).rejects.toThrow("terminated");
  expect(bytes).toBeLessThan(FILES * FILE_BYTES);
  expect(api.logged.join("")).not.toContain('"level":50');
});
