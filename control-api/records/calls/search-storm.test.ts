import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { needs } from "../../../testkit/needs.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";
import { buildIndexes } from "../../database/build-indexes.ts";
import { openDatabase } from "../../database/open.ts";

const SEARCHES = 25;

describe.runIf(needs("postgres"))("searches that the database does not answer", () => {
  it("are told what to do, and keep neither calls nor others from anything", async () => {
    const { url, drop } = await createTestDatabase();
    const env = { DATABASE_READ_TIMEOUT_MS: "500" };
    const locker = await openDatabase({ databaseUrl: url });
    // An index that the API builds beside waits for the lock below, which waits for the index.
    await buildIndexes(locker);
    const api = await TestControlApi.start({ databaseUrl: url, env });
    onTestFinished(async () => {
      await api.close();
      await locker.close();
      await drop();
    });
    await api.registerNode();
    const [noisy, calm] = [await api.createOrganization(), await api.createOrganization()];
    const search = () =>
      api.call("GET", `/api/orgs/${noisy.orgId}/calls?text=zebra`, { key: noisy.keys.viewer });
    const codes = await locker.db.transaction().execute(async (trx) => {
      await sql`lock table call_messages in access exclusive mode`.execute(trx);
      const searches = Array.from({ length: SEARCHES }, search);
      const call = await api.call("POST", "/api/sessions/init-web-call", {
        key: noisy.keys.developer,
        body: { agentId: noisy.agentId },
      });
      const list = await api.call("GET", `/api/orgs/${calm.orgId}/calls`, { key: calm.keys.viewer });
      expect([call.status, list.status]).toEqual([200, 200]);
      const answers = await Promise.all(searches);
      expect(answers.every(({ headers }) => Number(headers.get("retry-after")) > 0)).toBe(true);
      return answers.map(({ status, body }) => `${status} ${String(body.code)}`);
    });
    expect(new Set(codes)).toEqual(new Set(["429 too_many_requests", "503 search_too_slow"]));
    expect((await search()).status).toBe(200);
  });
});
