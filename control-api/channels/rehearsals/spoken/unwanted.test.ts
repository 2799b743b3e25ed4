import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../../testkit/control-api.ts";
import { flowOf } from "../../../../testkit/flows.ts";
import { memberOnly, TestMembers } from "../../../../testkit/members.ts";
import type { TestPerson } from "../../../../testkit/person.ts";

const SOON = { timeout: 90_000 };
const SCENARIOS = [{ name: "x", caller: { otherwise: ["Hi"] }, criteria: [{ kind: "ends" }] }];

describe("a report of rehearsals in speech", () => {
  const clock = new ManualClock(Date.now());
  let api: TestControlApi;
  let members: TestMembers;
  beforeAll(async () => {
    api = await TestControlApi.start({ clock });
    members = await TestMembers.create(api);
  });
  afterAll(() => api.close());

  /** A report that waits for a gateway: there is none. */
  async function begun(by: TestPerson) {
    const { orgId } = members;
    const flow = flowOf({ bye: { type: "end", text: "Bye." } });
    const body = { name: "Ada", brain: { kind: "flow", flow } };
    const made = await by.call("POST", "/api/agents", body, orgId);
    const agent = `/api/agents/${(made.body.data as { id: string }).id}`;
    const asked = await by.call(
      "POST",
      `${agent}/simulations`,
      { mode: "speech", scenarios: SCENARIOS },
      orgId,
    );
    expect(asked.status, asked.text).toBe(202);
    const { reportId } = asked.body.data as { reportId: string };
    const job = () =>
      api.database.db
        .selectFrom("jobs")
        .select(["id", "state", "attempts"])
        .where("kind", "=", "hold_spoken_rehearsals")
        .where(sql<boolean>`payload ->> 'reportId' = ${reportId}`)
        .executeTakeFirstOrThrow();
    await expect.poll(async () => (await job()).state, SOON).toBe("running");
    const report = async () => {
      const read = await members.people.owner.call(
        "GET",
        `${agent}/simulations/${reportId}`,
        undefined,
        orgId,
      );
      return read.body.data as { state: string; error: string | null };
    };
    return { agent, job, report };
  }

  it("ends soon after whoever asked for it is removed", async () => {
    const developer = await memberOnly(api, members.orgId, "developer");
    const { report } = await begun(developer);
    const member = `/api/orgs/${members.orgId}/members/${developer.userId}`;
    expect((await members.people.owner.call("DELETE", member, undefined, members.orgId)).status).toBe(200);
    clock.advance(15_000);
    await expect.poll(report, SOON).toMatchObject({ state: "failed" });
    expect((await report()).error).toContain("may no longer rehearse");
  });

  it("makes no further calls once its agent is deleted", async () => {
    const { agent, job } = await begun(members.people.developer);
    expect((await members.people.developer.call("DELETE", agent, undefined, members.orgId)).status).toBe(200);
    clock.advance(15_000);
    await expect.poll(async () => (await job()).state, SOON).toBe("done");
  });

  it("says that it was cut off when each process that held it was killed", async () => {
    const { job, report } = await begun(members.people.developer);
    const { id } = await job();
    // As if processes had died of it.
    await api.database.db
      .updateTable("jobs")
      .set({ attempts: 3, lease_epoch: 9, due_at: new Date(clock.wallMs()) })
      .where("id", "=", id)
      .execute();
    clock.advance(5_000);
    await expect.poll(async () => (await job()).state, SOON).toBe("dead");
    expect(await report()).toMatchObject({
      state: "failed",
      error: expect.stringContaining("stopped each time"),
    });
  });
});
