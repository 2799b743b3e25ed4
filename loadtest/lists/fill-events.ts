import type { Tables } from "@parley/control-api/database/tables.ts";
import { type Kysely, sql } from "kysely";
import { LARGE_ORG } from "./fill-calls.ts";

/** Of a call of 65 s, at half an event a second (docs/scale.md#what-one-unit-costs). */
const EVENTS = 32;
const DELIVERIES = 8;
const BODY_CHARS = 300;

/** Adds events and delivered webhooks to every call that `fillCalls` made, but those whose content was deleted. */
export async function fillEvents(db: Kysely<Tables>): Promise<void> {
  await sql`insert into call_events (id, session_id, org_id, seq, type, at, body)
    select 'evt_e' || n || session_id, session_id, org_id, n, 'call.state', created_at,
      jsonb_build_object('text', repeat(md5(session_id || n), ${Math.ceil(BODY_CHARS / 32)}::int))
    from calls, generate_series(1, ${EVENTS}::int) n where content_deleted_at is null`.execute(db);
  await sql`insert into webhook_endpoints (id, org_id, url, events, include_recording, include_transcript, secret_sealed,
      created_by, created_at)
    values ('whk_fill', ${LARGE_ORG}, 'https://receiver.example/', '["*"]', true, true, 'k:x', 'usr_0', now())
    on conflict do nothing`.execute(db);
  await sql`insert into webhook_deliveries (id, endpoint_id, org_id, event, session_id, body, status, attempts, created_at,
      next_attempt_at)
    select 'dlv_' || n || session_id, 'whk_fill', org_id, 'call.message', session_id,
      repeat(md5(session_id || n), ${Math.ceil((2 * BODY_CHARS) / 32)}::int), 'delivered', 1, created_at, created_at
    from calls, generate_series(1, ${DELIVERIES}::int) n where content_deleted_at is null`.execute(db);
  await sql`analyze call_events, webhook_deliveries`.execute(db);
}
