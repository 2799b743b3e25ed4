import { openDatabase } from "@parley/control-api/database/open.ts";
import { connectRedisBus } from "@parley/shared/bus/redis.ts";
import { decodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { createLogger } from "@parley/shared/log.ts";
import { sql } from "kysely";
import { Agent, request } from "undici";

/**
 * The limit: reads a stream, inserts each event into one table, posts it to every address and acknowledges. Nothing is
 * projected, signed, leased or kept of the answers. Runs until it is stopped.
 */
const [redisUrl = "", databaseUrl = "", stream = "", receiverUrl = "", endpoints = ""] =
  process.argv.slice(2);
const READ_AT_ONCE = 200;
/** Posts under way for each address, and in all: as many as the deliverer makes. */
const SIDE_BY_SIDE = Math.min(8 * Number(endpoints), 128);
const bus = await connectRedisBus({
  url: redisUrl,
  log: createLogger({ level: "silent", format: "json", name: "bare" }),
});
const { db } = await openDatabase({ databaseUrl });
const dispatcher = new Agent({ connections: SIDE_BY_SIDE });
const posts: { readonly url: string; readonly body: string }[] = [];
let free = SIDE_BY_SIDE;

function postMore(): void {
  for (; free > 0; free--) {
    const next = posts.pop();
    if (!next) return;
    void post(next).finally(() => {
      free += 1;
      postMore();
    });
  }
}

async function post({ url, body }: (typeof posts)[number]): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await request(url, { method: "POST", dispatcher, headers, body });
  await answer.body.dump();
}

console.log("bare reader ready");
const reader = { group: "bare", consumer: "bare", count: READ_AT_ONCE, blockMs: 1_000, claimAfterMs: 60_000 };
for (;;) {
  const entries = await bus.streams.read(stream, reader);
  if (entries.length === 0) continue;
  const events = entries.map(({ payload }) => decodeCallEvent(payload));
  const rows = events.map((event) => {
    const { id, sessionId, orgId, seq, type, at } = event;
    const body = JSON.stringify({ ...event, occurredAt: at });
    return { id, session_id: sessionId, org_id: orgId, seq, type, at, body };
  });
  await sql`insert into bench_events
    select * from jsonb_populate_recordset(null::bench_events, ${JSON.stringify(rows)}::jsonb)`.execute(db);
  for (const { body } of rows)
    for (let i = 0; i < Number(endpoints); i++) posts.push({ url: `${receiverUrl}/hook/${i}`, body });
  postMore();
  await bus.streams.ack(
    stream,
    "bare",
    entries.map(({ entryId }) => entryId),
  );
}
