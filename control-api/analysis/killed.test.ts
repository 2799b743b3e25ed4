import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { createMetrics } from "@parley/shared/metrics.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startJobRunner } from "../../testkit/jobs.ts";
import { needs } from "../../testkit/needs.ts";
import { createOrganization, type TestOrganization } from "../../testkit/organization.ts";
import { createTestDatabase } from "../../testkit/postgres.ts";
import { type Database, openDatabase } from "../database/open.ts";
import type { JobHandler, WriteResult } from "../jobs/job-kind.ts";
import { LEASE_MS } from "../jobs/runner.ts";
import { DataKeys } from "../sealed/data-keys.ts";
import { ANALYZE_CALL, analyzesCalls } from "./analyze-call.ts";

const CALLS = 500;
/** Where a process dies: before it begins, with the analysis in hand, or with it written and not committed. */
const POINTS = ["begun", "analyzed", "written"] as const;
type Point = (typeof POINTS)[number];
/** Runs of a process until it dies. */
const RUNS = 60;

describe.runIf(needs("postgres"))("the analyses of 500 calls, with processes killed in the middle", () => {
  let own: Awaited<ReturnType<typeof createTestDatabase>>;
  let watching: Database;
  let organization: TestOrganization;
  const bus = createMemoryBus({ clock: systemClock });
  const clock = new ManualClock();
  const secrets = new SecretBox(`k1:${Buffer.alloc(32, 7).toString("base64")}`);
  beforeAll(async () => {
    own = await createTestDatabase();
    watching = await openDatabase({ databaseUrl: own.url });
    organization = await createOrganization(watching, { postCallAnalysis: { enabled: true } });
    const { orgId, agentId, userId } = organization;
    const at = new Date(clock.wallMs());
    await watching.db
      .insertInto("webhook_endpoints")
      .values({
        id: newId("whk"),
        org_id: orgId,
        url: "https://receiver.example/",
        events: JSON.stringify(["call.analyzed"]),
        include_recording: false,
        include_transcript: false,
        secret_sealed: "x",
        created_by: userId,
        created_at: at,
      })
      .execute();
    await sql`insert into calls (id, session_id, org_id, agent_id, user_id, variables, node_id, channel, direction,
        status, created_at, started_at, ended_at)
      select 'cal_' || n, 'ses_' || n, ${orgId}, ${agentId}, ${userId}, '{}', 'nod_1', 'web_chat', 'web',
        'completed', ${at}, ${at}, ${at} from generate_series(1, ${CALLS}::int) n`.execute(watching.db);
    await sql`insert into call_messages (event_id, session_id, org_id, seq, turn, role, text, interrupted, source, at)
      select 'evt_' || n, 'ses_' || n, ${orgId}, 1, 1, 'user', 'I am very unhappy with order ' || n || '.', false,
        'speech', ${at} from generate_series(1, ${CALLS}::int) n`.execute(watching.db);
  });
  afterAll(async () => {
    await watching.close();
    await own.drop();
    await bus.close();
  });

  /** A process with a pool of its own; one with a `point` dies there, in each of its runs from the sixtieth on. */
  async function start(point?: Point) {
    const database = await openDatabase({ databaseUrl: own.url });
    const dead = Promise.withResolvers<void>();
    let begun = 0;
    const dies = async (here: Point): Promise<void> => {
      if (here !== point || begun < RUNS) return;
      dead.resolve();
      await new Promise<never>(() => undefined);
    };
    const analyzes = analyzesCalls({
      database,
      clock,
      secrets,
      dataKeys: new DataKeys({ secrets, nowMs: () => clock.wallMs() }),
      metrics: createMetrics(),
      config: { speech: { openai: {} } } as never,
      egress: { to: () => ({}) } as never,
      countTokens: async () => undefined,
      announceDeliveries: () => undefined,
    });
    const handler: JobHandler = {
      ...analyzes,
      run: async (run) => {
        begun += 1;
        await dies("begun");
        const write = (await analyzes.run(run)) as WriteResult | undefined;
        await dies("analyzed");
        if (!write) return undefined;
        return async (trx) => {
          const after = await write(trx);
          if (point === "written" && begun >= RUNS) {
            dead.resolve();
            // As the database does with the transaction of a process that is gone.
            throw new Error("the connection was lost");
          }
          return after ?? (() => undefined);
        };
      },
    };
    return { database, dead: dead.promise, ...startJobRunner([handler], { database, clock, bus }) };
  }

  it("are each made once and told once, and none is lost", { timeout: 180_000 }, async () => {
    const dying = await Promise.all(POINTS.map((point) => start(point)));
    const { orgId } = organization;
    const [first] = dying;
    for (let n = 1; n <= CALLS; n++) {
      const sessionId = `ses_${n}`;
      await first?.queue.add(watching.db, ANALYZE_CALL, { payload: { sessionId }, orgId, once: sessionId });
    }
    first?.queue.announce();
    await Promise.all(dying.map(({ dead }) => dead));
    await Promise.all(dying.map(({ database }) => database.close()));
    const living = await start();
    const left = () =>
      watching.db
        .selectFrom("jobs")
        .select("id")
        .where("kind", "=", "analyze_call")
        .where("state", "<>", "done");
    await expect
      .poll(
        async () => {
          clock.advance(LEASE_MS / 5);
          return (await left().execute()).length;
        },
        { timeout: 150_000 },
      )
      .toBe(0);
    const made = await watching.db.selectFrom("call_analyses").select(["session_id", "error"]).execute();
    expect(made).toHaveLength(CALLS);
    expect(made.filter(({ error }) => error !== null)).toEqual([]);
    const told = await watching.db
      .selectFrom("webhook_deliveries")
      .select("session_id")
      .where("event", "=", "call.analyzed")
      .execute();
    expect(told).toHaveLength(CALLS);
    expect(new Set(told.map(({ session_id }) => session_id)).size).toBe(CALLS);
    await living.runner.stop();
    await living.database.close();
  });
});
