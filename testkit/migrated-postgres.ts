import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { createTestDatabase } from "./postgres.ts";

/** A Postgres database of its own with all tables; only after `needs("postgres")`. */
export async function migratedPostgres(): Promise<{
  readonly database: Databases;
  readonly close: () => Promise<void>;
}> {
  const { url, drop } = await createTestDatabase();
  const database = await openDatabase({ databaseUrl: url });
  return {
    database,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}
