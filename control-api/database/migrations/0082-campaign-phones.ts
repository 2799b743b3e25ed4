import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** By which somebody who wants to be forgotten is found on all lists of an organization. */
export const campaignPhones: Migration = {
  up: async (db) => {
    await sql`create index campaign_targets_phone on campaign_targets (org_id, phone)`.execute(db);
  },
};
