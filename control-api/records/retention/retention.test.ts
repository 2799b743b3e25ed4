import { loadConfig } from "@parley/shared/config/config.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { eraseContent } from "../../../testkit/erase-content.ts";
import { type KeptCall, keepCall } from "../../../testkit/kept-call.ts";
import { memberOnly } from "../../../testkit/members.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import type { TestPerson } from "../../../testkit/person.ts";
import { eraseOverdue } from "../recordings/erase-overdue.ts";
import { openStoredFiles } from "../recordings/stored-files.ts";

const DAY_MS = 86_400_000;
const log = createLogger({ level: "silent", format: "json", name: "test" });

let api: TestControlApi;
let acme: TestOrganization;
let admin: TestPerson;
let viewer: TestPerson;
beforeAll(async () => {
  api = await TestControlApi.start({ env: { RECORDING_RETENTION_DAYS: "30" } });
  await api.registerNode({ maxCalls: 1_000 });
  acme = await api.createOrganization();
  admin = await memberOnly(api, acme.orgId, "admin");
  viewer = await memberOnly(api, acme.orgId, "viewer");
});
afterAll(() => api.close());

const retention = () => `/api/orgs/${acme.orgId}/retention`;
const change = (body: unknown, by = admin) => by.call("PATCH", retention(), body, acme.orgId);
/** The reaper, as it runs `days` from now. */
const reapIn = (days: number): Promise<void> =>
  eraseOverdue({
    eraseContent,
    database: api.database,
    recordings: openStoredFiles(loadConfig({ DATA_DIR: api.dataDir }).storage),
    clock: new ManualClock(Date.now() + days * DAY_MS),
    log,
    defaultDays: 30,
  });
const isKept = async ({ sessionId }: KeptCall): Promise<boolean> => {
  const { body } = await api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer });
  return body.recording !== null && (body.transcript as unknown[]).length > 0;
};

describe("an organization's retention", () => {
  it("is the installation's until somebody changes it, and every member can read it", async () => {
    const { body } = await viewer.call("GET", retention(), undefined, acme.orgId);
    expect(body.data).toEqual({ recordingRetentionDays: null, defaultDays: 30, legalHold: false });
  });

  it("that was changed is what the reaper goes by, from its next round on", async () => {
    const call = await keepCall(api, acme);
    const changed = await change({ recordingRetentionDays: 5 });
    expect(changed.body.data).toEqual({ recordingRetentionDays: 5, defaultDays: 30, legalHold: false });
    await reapIn(4);
    expect(await isKept(call)).toBe(true);
    await reapIn(6);
    expect(await isKept(call)).toBe(false);
    const longer = await keepCall(api, acme);
    await change({ recordingRetentionDays: 0 });
    await reapIn(400);
    expect(await isKept(longer)).toBe(true);
    await change({ recordingRetentionDays: null });
    await reapIn(31);
    expect(await isKept(longer)).toBe(false);
  });

  it("gives way to a legal hold, which keeps people from deleting, too, and says who can end it", async () => {
    const call = await keepCall(api, acme);
    await change({ recordingRetentionDays: 1, legalHold: true });
    await reapIn(400);
    expect(await isKept(call)).toBe(true);
    for (const path of [`recordings/${call.recordingId}`, `calls/${call.sessionId}/content`]) {
      const refused = await api.call("DELETE", `/api/orgs/${acme.orgId}/${path}`, { key: acme.keys.owner });
      expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
      expect(refused.body.error).toContain("an owner or admin ends the hold");
    }
    await change({ legalHold: false });
    await reapIn(2);
    expect(await isKept(call)).toBe(false);
  });

  it("is in the audit log with what it was before, and by whom", async () => {
    await change({ recordingRetentionDays: 7 });
    await change({ legalHold: true });
    await change({ legalHold: false });
    const { body } = await admin.call(
      "GET",
      `/api/orgs/${acme.orgId}/audit?action=retention.changed&limit=2`,
      undefined,
      acme.orgId,
    );
    const held = { recordingRetentionDays: 7, legalHold: true };
    const free = { recordingRetentionDays: 7, legalHold: false };
    expect((body.data as { events: unknown[] }).events).toMatchObject([
      { actor: { kind: "user", id: admin.userId }, details: { before: held, after: free } },
      { actor: { kind: "user", id: admin.userId }, details: { before: free, after: held } },
    ]);
  });

  it.each([
    [{}, "recordingRetentionDays, legalHold or both"],
    [{ recordingRetentionDays: -1 }, "recordingRetentionDays"],
    [{ recordingRetentionDays: 1.5 }, "recordingRetentionDays"],
    [{ recordingRetentionDays: 36_501 }, "recordingRetentionDays"],
    [{ recordingRetentionDays: "7" }, "recordingRetentionDays"],
    [{ legalHold: "yes" }, "legalHold"],
  ])("refuses %j with a reason", async (body, named) => {
    const refused = await change(body);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain(named);
  });
});
