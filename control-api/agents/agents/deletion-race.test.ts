import { describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { raceBehind } from "../../../testkit/lock-race.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { needs } from "../../../testkit/needs.ts";

describe.runIf(needs("postgres"))("what is made for an agent that is deleted at this moment", () => {
  it.each([
    ["a client token", "POST", () => "/api/client-tokens", (agentId: string) => ({ agentId })],
    [
      "a public page",
      "PATCH",
      (agentId: string) => `/api/agents/${agentId}/public`,
      () => ({ isPublic: true }),
    ],
  ])("%s is refused with a conflict", async (_, method, path, body) => {
    const api = await TestControlApi.start();
    onTestFinished(() => api.close());
    const { agentId, people, orgId } = await TestMembers.create(api);
    const answers: unknown[] = [];
    const made = async () => {
      const { status, body: said } = await people.admin.call(method, path(agentId), body(agentId), orgId);
      answers.push([status, said.code]);
    };
    const remove = (trx: typeof api.database.db) =>
      trx.deleteFrom("agents").where("id", "=", agentId).execute();
    await raceBehind(api.database, remove, [made]);
    expect(answers).toEqual([[409, "conflict"]]);
  });
});
