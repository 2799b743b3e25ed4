import { expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { memberOnly } from "../../../testkit/members.ts";
import { TestPerson } from "../../../testkit/person.ts";

it("lets those preview who may publish, and stops a preview whose user lost the role", async () => {
  const api = await TestControlApi.start();
  try {
    const owner = await TestPerson.register(api);
    const { orgId } = owner;
    const appId = await installApp(owner, { scopes: ["objects:note"] });
    const developer = await memberOnly(api, orgId, "developer");
    const path = `/api/orgs/${orgId}/apps/${appId}/frames`;
    const preview = () => developer.call("POST", path, { pageId: "panel", preview: true }, orgId);
    const frame = await TestBridge.open(developer, appId, orgId);
    frame.token = ((await preview()).body.data as { token: string }).token;
    const list = () => frame.call("data.list", { type: "note" });
    expect(await list()).toEqual([]);

    const member = `/api/orgs/${orgId}/members/${developer.userId}`;
    expect((await owner.call("PATCH", member, { role: "viewer" }, orgId)).status).toBe(200);
    await expect(list()).rejects.toMatchObject({ code: "app_gone" });
    expect((await preview()).status).toBe(403);
    // What was published and installed is for everybody.
    const installed = await TestBridge.open(developer, appId, orgId);
    expect(await installed.call("data.list", { type: "note" })).toEqual([]);
  } finally {
    await api.close();
  }
});
