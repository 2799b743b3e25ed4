import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** In which conversation an appointment was made at the demo shop: it is erased with what was said there. */
const STATEMENTS = [
  sql`alter table demo_shop_bookings add column session_id text`,
  sql`create index demo_shop_bookings_session on demo_shop_bookings (session_id) where session_id is not null`,
];

export const demoShopSessions: Migration = {
  up: async (db) => {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};
