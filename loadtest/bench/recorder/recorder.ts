import { type Database, openDatabase } from "@parley/control-api/database/open.ts";
import { CALL_EVENTS_STREAM, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { sql } from "kysely";
import { type Stack, startStack } from "../../stack/stack.ts";
import { type BenchApi, startApi } from "../api/control-api.ts";
import type { Bench } from "../harness/figure.ts";
import { pause } from "../harness/pause.ts";
import { interleaved } from "../harness/rounds.ts";
import { makeMessages } from "./messages.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 5;
const CALLS = 50;
const EVENTS_A_CALL = 80;
const EVENTS = CALLS * EVENTS_A_CALL;
/** Rows per statement, as many as the recorder reads events at once. */
const ROWS_A_STATEMENT = 200;
const MIN_PER_SEC = 4_000;
const LOOK_EVERY_MS = 20;
const GIVE_UP_MS = 120_000;

interface World {
  readonly stack: Stack;
  readonly api: BenchApi;
  readonly database: Database;
  readonly orgId: string;
}

/** Call messages per second from the durable stream into the database, compared with plain inserts. */
export const recorder: Bench = {
  name: "recorder",
  title: `Recorder: ${EVENTS} messages of ${CALLS} calls from Redis into Postgres, one process`,
  needsPostgres: true,
  run: async (say) => {
    const stack = await startStack({ othersCpu: OTHERS_CPU, gatewayCpu: OTHERS_CPU });
    const api = await startApi(stack, CPU);
    const database = await openDatabase({ databaseUrl: api.databaseUrl });
    try {
      const [agent] = await database.db.selectFrom("agents").select("org_id").execute();
      const world = { stack, api, database, orgId: agent?.org_id ?? "" };
      await sql`create table bench_events (like call_events including all)`.execute(database.db);
      await record(world);
      const rates = await interleaved(ROUNDS, {
        ours: async (round) => {
          const perSec = await record(world);
          say(`round ${round + 1}: ${perSec.toFixed(0)} events a second`);
          return perSec;
        },
        limit: () => insertOnly(world),
      });
      return [
        {
          id: "recorder.rate",
          title: "messages recorded: event, transcript and the call's counts",
          unit: "a second",
          better: "higher",
          ours: rates.ours,
          limit: { name: `rows inserted, ${ROWS_A_STATEMENT} a statement`, value: rates.limit },
          target: {
            text: `at least ${MIN_PER_SEC} a second`,
            holds: rates.ours.median >= MIN_PER_SEC,
          },
        },
      ];
    } finally {
      await database.close();
      await api.close();
      await stack.close();
    }
  },
};

/** Time from the first event in the stream to the last one in the database. */
async function record(world: World): Promise<number> {
  const { stack, api, database, orgId } = world;
  const { events, sessionIds } = await makeMessages(api, { orgId, calls: CALLS, each: EVENTS_A_CALL });
  const startMs = performance.now();
  await Promise.all(
    events.map((event) => stack.bus.streams.append(CALL_EVENTS_STREAM, encodeCallEvent(event))),
  );
  for (;;) {
    const { count } = await database.db
      .selectFrom("call_messages")
      .select(({ fn }) => fn.countAll().as("count"))
      .where("session_id", "in", sessionIds)
      .executeTakeFirstOrThrow();
    const tookMs = performance.now() - startMs;
    if (Number(count) === EVENTS) return (EVENTS * 1_000) / tookMs;
    if (tookMs > GIVE_UP_MS) throw new Error(`${count} of ${EVENTS} messages were recorded`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Inserts the same events as rows of one table, with nothing read, acknowledged, locked or counted. */
async function insertOnly({ api, database, orgId }: World): Promise<number> {
  const { events } = await makeMessages(api, { orgId, calls: CALLS, each: EVENTS_A_CALL });
  const rows = events.map((event) => {
    const { id, sessionId, orgId, seq, type, at } = event;
    return { id, session_id: sessionId, org_id: orgId, seq, type, at, body: JSON.stringify(event) };
  });
  const startMs = performance.now();
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const batch = JSON.stringify(rows.slice(at, at + ROWS_A_STATEMENT));
    await sql`insert into bench_events
      select * from jsonb_populate_recordset(null::bench_events, ${batch}::jsonb)`.execute(database.db);
  }
  return (EVENTS * 1_000) / (performance.now() - startMs);
}
