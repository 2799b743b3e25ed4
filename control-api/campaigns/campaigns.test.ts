import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestCampaigns } from "../../testkit/campaigns.ts";
import { TestControlApi } from "../../testkit/control-api.ts";

let api: TestControlApi;
let campaigns: TestCampaigns;

beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true });
  await api.registerNode({ maxCalls: 1_000 });
  campaigns = await TestCampaigns.start(api);
});
afterAll(() => api.close());

describe("a campaign", () => {
  it("is a draft with the usual settings when it is created, and lists the newest first", async () => {
    const first = await campaigns.create({ name: "First" });
    const second = await campaigns.create({ name: "Second", callsPerMinute: 60 });
    expect(first).toMatchObject({
      status: "draft",
      settings: { callsPerMinute: 10, maxLive: 5, retries: { busy: { times: 3, afterMinutes: 15 } } },
      targets: { total: 0, waiting: 0, calling: 0, done: 0, outcomes: {} },
    });
    const { body } = await campaigns.call("GET", "/campaigns?limit=2");
    expect(body.data).toMatchObject({ campaigns: [{ id: second.id }, { id: first.id }] });
    const next = await campaigns.call("GET", `/campaigns?before=${second.id}&limit=1`);
    expect(next.body.data).toMatchObject({ campaigns: [{ id: first.id }] });
  });

  it("takes agents and numbers of its own organization only, and says which field is wrong", async () => {
    const answer = await campaigns.call("POST", "/campaigns", { name: "x", agentId: "agt_none" });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toMatchObject({ fields: { agentId: expect.stringContaining("no agent") } });
    const number = { name: "x", agentId: campaigns.agentId, fromNumberId: "num_none" };
    const other = await campaigns.call("POST", "/campaigns", number);
    expect(other.body.details).toMatchObject({ fields: { fromNumberId: expect.any(String) } });
  });

  it("goes through its states and refuses steps that do not exist", async () => {
    const { id } = await campaigns.create();
    expect((await campaigns.call("POST", `/campaigns/${id}/pause`)).status).toBe(409);
    expect((await campaigns.call("POST", `/campaigns/${id}/start`)).status).toBe(400);
    // Out of hours: nobody is dialed while it runs.
    await campaigns.addTargets(id, [{ phone: "+12025550111" }]);
    await campaigns.call("PATCH", `/campaigns/${id}`, {
      hours: { days: [0], from: "00:00", to: "00:01" },
      maxLive: 1,
    });
    expect((await campaigns.call("POST", `/campaigns/${id}/start`)).body.data).toMatchObject({
      status: "running",
    });
    expect((await campaigns.call("DELETE", `/campaigns/${id}`)).status).toBe(409);
    expect((await campaigns.call("POST", `/campaigns/${id}/pause`)).body.data).toMatchObject({
      status: "paused",
    });
    expect((await campaigns.call("POST", `/campaigns/${id}/cancel`)).body.data).toMatchObject({
      status: "canceled",
    });
    expect((await campaigns.call("POST", `/campaigns/${id}/start`)).status).toBe(409);
    expect(
      (await campaigns.call("POST", `/campaigns/${id}/targets`, { rows: [{ phone: "+1" }] })).status,
    ).toBe(409);
    expect((await campaigns.call("DELETE", `/campaigns/${id}`)).status).toBe(200);
    expect((await campaigns.call("GET", `/campaigns/${id}`)).status).toBe(404);
  });

  it("of another organization is not there", async () => {
    const { id } = await campaigns.create();
    const others = await TestCampaigns.start(api, { number: "+12025550199" });
    expect((await others.call("GET", `/campaigns/${id}`)).status).toBe(404);
    expect(
      (await others.call("POST", `/campaigns/${id}/targets`, { rows: [{ phone: "+12025550111" }] })).status,
    ).toBe(404);
  });
});

describe("targets", () => {
  it("come from rows: columns become variables, numbers are checked, duplicates are told", async () => {
    const { id } = await campaigns.create();
    const added = await campaigns.addTargets(id, [
      { Phone: "+49 (30) 123-45 67", "First name": "Ada", Debt: 12.5 },
      { Phone: "030 1234567", "First name": "Bob" },
      { Phone: "+49301234567", "First name": "Ada again" },
      { Phone: "+88212345678" },
    ]);
    expect(added).toMatchObject({ added: 1, duplicates: 1, doNotCall: 0, refusedTotal: 3 });
    expect(added.refused.map(({ row }) => row)).toEqual([2, 3, 4]);
    expect(added.refused.map(({ why }) => why)).toEqual([
      expect.stringContaining("country"),
      "is in this list already",
      expect.stringContaining("time zone"),
    ]);
    expect(await campaigns.targets(id)).toMatchObject([
      {
        phone: "+49301234567",
        variables: { First_name: "Ada", Debt: "12.5" },
        zone: "DE",
        state: "waiting",
        attempts: 0,
      },
    ]);
    expect(await campaigns.addTargets(id, [{ phone: "+49301234567" }])).toMatchObject({
      added: 0,
      duplicates: 1,
    });
  });

  it("come from a CSV file with a mapping, in the order of the file", async () => {
    const { id } = await campaigns.create();
    const csv = "Nummer;Zone;Vorname\n+4915112345678;Europe/Vienna;Eva\n+4915112345679;Nowhere/City;Uwe\n";
    const mapping = { phone: "Nummer", timezone: "Zone", variables: { name: "Vorname" } };
    const answer = await campaigns.call("POST", `/campaigns/${id}/targets/import`, { csv, mapping });
    expect(answer.body.data).toMatchObject({ added: 1, refused: [{ row: 2, value: "+4915112345679" }] });
    expect(await campaigns.targets(id)).toMatchObject([
      { variables: { name: "Eva" }, zone: "Europe/Vienna" },
    ]);
    const wrong = await campaigns.call("POST", `/campaigns/${id}/targets/import`, {
      csv,
      mapping: { phone: "Tel" },
    });
    expect(wrong.status).toBe(400);
    expect(wrong.body.error).toContain('"Tel"');
  });

  it("of a file that is too large for one request are refused with the size that is not", async () => {
    const { id } = await campaigns.create();
    const path = `/campaigns/${id}/targets/import`;
    const csvOf = (bytes: number) =>
      `phone,note\n${`+4915112345678,${"x".repeat(984)}\n`.repeat(bytes / 1_000)}`;
    const long = await campaigns.call("POST", path, { csv: csvOf(2_100_000) });
    expect(long.status).toBe(400);
    expect(JSON.stringify(long.body)).toContain("2000000");
    const whole = await campaigns.call("POST", path, { csv: csvOf(300_000) });
    expect(whole.body.data).toMatchObject({ added: 1, duplicates: 299 });
    const huge = await campaigns.call("POST", path, { csv: csvOf(50_000_000) });
    expect(huge.status).toBe(413);
    expect(huge.body.error).toMatch(/too large; at most 8 MiB/);
    expect(await campaigns.targets(id)).toHaveLength(1);
  });

  it("are 1,000 in a request at most, and pages of them follow each other", async () => {
    const { id } = await campaigns.create();
    const rows = Array.from({ length: 1_001 }, (_, i) => ({ phone: `+120255${10_000 + i}` }));
    expect((await campaigns.call("POST", `/campaigns/${id}/targets`, { rows })).status).toBe(400);
    expect(await campaigns.addTargets(id, rows.slice(1))).toMatchObject({ added: 1_000 });
    const first = await campaigns.targets(id);
    const second = await campaigns.targets(id, `?limit=500&after=${first.at(-1)?.id}`);
    expect([...first, ...second].map(({ phone }) => phone)).toEqual(rows.slice(1).map(({ phone }) => phone));
  });

  it("that wait can be left out", async () => {
    const { id } = await campaigns.create();
    await campaigns.addTargets(id, [{ phone: "+12025550111" }]);
    const [target] = await campaigns.targets(id);
    const path = `/campaigns/${id}/targets/${target?.id}`;
    expect((await campaigns.call("DELETE", path)).body.data).toMatchObject({
      state: "done",
      outcome: "removed",
    });
    expect((await campaigns.call("DELETE", path)).status).toBe(409);
    expect((await campaigns.read(id)).targets).toMatchObject({ total: 1, done: 1, outcomes: { removed: 1 } });
  });
});
