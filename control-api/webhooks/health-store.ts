import type { EndpointHealth } from "@parley/shared/contracts/webhooks.ts";
import { sql } from "kysely";
import type { Database } from "../database/open.ts";

export interface HealthWindow {
  readonly from: Date;
  readonly to: Date;
  readonly bucketSecs: number;
}

interface Row {
  readonly id: string;
  /** Null in the endpoint's total row. */
  readonly at: Date | null;
  readonly delivered: number;
  readonly dead: number;
  readonly failed: number;
  readonly pending: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Outcomes of the deliveries of an organization's endpoints, by the time they were raised. */
export async function readHealth(
  { db }: Database,
  orgId: string,
  { from, to, bucketSecs }: HealthWindow,
): Promise<EndpointHealth[]> {
  const { rows } = await sql<Row>`
    with raised as (
      select d.endpoint_id as id, d.status, d.duration_ms,
        date_bin(make_interval(secs => ${bucketSecs}::int), d.created_at, ${from}::timestamptz) as at
      from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
      where e.org_id = ${orgId} and e.listening_until is null and e.removed_at is null
        and d.created_at >= ${from} and d.created_at < ${to}
    )
    select id, at,
      (count(*) filter (where status = 'delivered'))::int as delivered,
      (count(*) filter (where status = 'dead'))::int as dead,
      (count(*) filter (where status = 'failed'))::int as failed,
      (count(*) filter (where status = 'pending'))::int as pending,
      percentile_disc(0.5) within group (order by duration_ms) filter (where status = 'delivered') as "p50Ms",
      percentile_disc(0.95) within group (order by duration_ms) filter (where status = 'delivered') as "p95Ms"
    from raised group by grouping sets ((id), (id, at)) order by id, at nulls first`.execute(db);
  const endpoints: EndpointHealth[] = [];
  for (const { id, at, ...counts } of rows) {
    if (at === null) endpoints.push({ id, ...counts, buckets: [] });
    else endpoints.at(-1)?.buckets.push({ at: at.toISOString(), ...counts });
  }
  return endpoints;
}
