import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const STATEMENTS = [
  sql`alter table billed_calls add column campaign_id text not null default ''`,
  sql`create index billed_calls_campaign on billed_calls (campaign_id) where campaign_id <> '' and settled_at is null`,
  sql`create table campaign_days (
    org_id text not null,
    campaign_id text not null,
    day date not null,
    amount bigint not null,
    primary key (org_id, campaign_id, day)
  )`,
  sql`alter table spending_limits drop constraint spending_limits_scope_check`,
  sql`alter table spending_limits add constraint spending_limits_scope_check
    check (scope in ('organization', 'agent', 'campaign', 'key'))`,
  sql`alter table billing_accounts add column low_told_at timestamptz`,
];

/** Spending limits of campaigns, and balances that run low. */
export const campaignLimits: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
