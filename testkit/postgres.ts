import pg from "pg";
import { testPostgresUrl } from "./needs.ts";

/** A Postgres database for one test; only after `needs("postgres")`. */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `parley_test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const admin = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: testPostgresUrl() });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await admin(`create database ${name}`);
  const url = new URL(testPostgresUrl());
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`drop database ${name} with (force)`) };
}
