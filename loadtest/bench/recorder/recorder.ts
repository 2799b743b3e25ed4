import { type Database, openDatabase } from "@parley/control-api/database/open.ts";
import { CALL_EVENTS_STREAM, type CallEvent, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";
import { z } from "zod";
import { type Stack, startStack } from "../../stack/stack.ts";
import { type BenchApi, startApi } from "../api/control-api.ts";
import type { Bench } from "../harness/figure.ts";
import { pause } from "../harness/pause.ts";
import { interleaved } from "../harness/rounds.ts";

const CPU = 0;
const OTHERS_CPU = 1;
const ROUNDS = 5;
const CALLS = 50;
const EVENTS_A_CALL = 80;
const EVENTS = CALLS * EVENTS_A_CALL;
/** Rows per statement, as many as the recorder reads events at once. */
const ROWS_A_STATEMENT = 200;
const LOOK_EVERY_MS = 20;
const GIVE_UP_MS = 120_000;
const sessionSchema = z.object({ data: z.object({ sessionId: z.string() }) });

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
  const { stack, database } = world;
  const { events, sessionIds } = await makeEvents(world);
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
async function insertOnly(world: World): Promise<number> {
  const { events } = await makeEvents(world);
  const rows = events.map((event) => {
    const { id, sessionId, orgId, seq, type, at } = event;
    return { id, session_id: sessionId, org_id: orgId, seq, type, at, body: JSON.stringify(event) };
  });
  const startMs = performance.now();
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const batch = JSON.stringify(rows.slice(at, at + ROWS_A_STATEMENT));
    await sql`insert into bench_events
      select * from jsonb_populate_recordset(null::bench_events, ${batch}::jsonb)`.execute(world.database.db);
  }
  return (EVENTS * 1_000) / (performance.now() - startMs);
}

/** Call starts and transcripts, mixed as in live calls. */
async function makeEvents({ api, orgId }: World) {
  const sessionIds: string[] = [];
  for (let call = 0; call < CALLS; call++) sessionIds.push(await beginCall(api));
  const events = Array.from({ length: EVENTS }, (_, i): CallEvent => {
    const seq = Math.floor(i / CALLS);
    const about = { id: newId("evt"), sessionId: sessionIds[i % CALLS] ?? "", orgId, seq };
    const said = {
      type: "call.message",
      turn: seq,
      role: "user",
      text: `This is line ${seq} of it.`,
    } as const;
    return { ...about, at: new Date().toISOString(), ...said, interrupted: false, source: "text" };
  });
  return { events, sessionIds };
}

async function beginCall({ baseUrl, apiKey, agentId }: BenchApi): Promise<string> {
  const response = await fetch(`${baseUrl}/api/sessions/init-web-call`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ agentId }),
  });
  if (!response.ok) throw new Error(`a call answered ${response.status}: ${await response.text()}`);
  return sessionSchema.parse(await response.json()).data.sessionId;
}
