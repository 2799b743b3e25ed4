import { systemClock } from "@parley/shared/clock.ts";
import { createLogger } from "@parley/shared/log.ts";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { eraseContent } from "../../../testkit/erase-content.ts";
import { TestPerson } from "../../../testkit/person.ts";
import { deleteOldRuns, noteRun } from "./runs.ts";

const DAY_MS = 86_400_000;
const SILENT = createLogger({ level: "silent", format: "json", name: "test" });

let api: TestControlApi;
let person: TestPerson;
let path: string;
beforeAll(async () => {
  api = await TestControlApi.start();
});
afterAll(() => api.close());

/** A connection of somebody who has no other yet. */
async function connected(): Promise<string> {
  person = await TestPerson.register(api);
  path = `/api/orgs/${person.orgId}/integrations/connections`;
  const { body } = await person.call("POST", path, { providerId: "demo-shop" });
  return (body.data as { connection: { id: string } }).connection.id;
}
const runsOf = async (id: string) =>
  ((await person.call("GET", `${path}/${id}/runs`)).body.data as { runs: object[] }).runs;

it("what was done in a connection is listed with how it went, the latest first, without what was said", async () => {
  const connectionId = await connected();
  expect(await runsOf(connectionId)).toEqual([]);
  const tryIt = (capability: string, args: object) =>
    person.call("POST", `/api/orgs/${person.orgId}/tools/try`, {
      tool: { kind: "connector", name: "look", capability, connectionId },
      arguments: args,
    });
  await tryIt("order.lookup", { orderNumber: "1001" });
  await tryIt("booking.cancel", { id: "nothing" });
  await expect.poll(async () => (await runsOf(connectionId)).length).toBe(2);
  const runs = await runsOf(connectionId);
  expect(runs).toMatchObject([
    { capability: "booking.cancel", outcome: "not_found", sessionId: null },
    { capability: "order.lookup", outcome: "success", sessionId: null },
  ]);
  expect(JSON.stringify(runs)).not.toContain('"1001"');
  const stranger = await TestPerson.register(api);
  const theirs = `/api/orgs/${stranger.orgId}/integrations/connections/${connectionId}/runs`;
  expect((await stranger.call("GET", theirs)).status).toBe(404);
});

it("what was done is noted once who asked for it has the answer", async () => {
  const connectionId = await connected();
  const noting = vi.spyOn(api.database.db, "insertInto");
  onTestFinished(() => noting.mockRestore());
  const run = {
    orgId: person.orgId,
    connectionId,
    capability: "order.lookup",
    outcome: "success",
    tookMs: 1,
  };
  noteRun({ ...run, sessionId: undefined }, { database: api.database, clock: systemClock, log: SILENT });
  // The answer takes its way in this tick.
  for (let step = 0; step < 100; step++) await undefined;
  expect(noting).not.toHaveBeenCalled();
  await expect.poll(() => runsOf(connectionId)).toHaveLength(1);
});

it("what was done in a conversation names it, until that is erased; after a month it is gone", async () => {
  const connectionId = await connected();
  const { database } = api;
  const parts = { database, clock: { wallMs: () => Date.now() }, log: { warn: () => undefined } } as never;
  const of = { orgId: person.orgId, connectionId, capability: "order.lookup", outcome: "success" };
  noteRun({ ...of, tookMs: 12.4, sessionId: "ses_1" }, parts);
  await expect.poll(() => runsOf(connectionId)).toMatchObject([{ sessionId: "ses_1", tookMs: 12 }]);
  await eraseContent(database.db, { sessionIds: ["ses_1"], at: new Date() });
  expect(await runsOf(connectionId)).toMatchObject([{ sessionId: null }]);
  await deleteOldRuns(database, new Date(Date.now() - DAY_MS));
  expect(await runsOf(connectionId)).toHaveLength(1);
  await deleteOldRuns(database, new Date(Date.now() + 31 * DAY_MS));
  expect(await runsOf(connectionId)).toEqual([]);
});
