import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { startOwnPostgres } from "./own-postgres.ts";

describe.runIf(needs("postgresServer"))("a Postgres of a bench's own", () => {
  it("answers when it is there, and is gone afterwards", async () => {
    const postgres = await startOwnPostgres();
    const client = new pg.Client(postgres?.url);
    onTestFinished(() => client.end());
    await client.connect();
    expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await client.end();
    await postgres?.close();
    await expect(new pg.Client(postgres?.url).connect()).rejects.toThrow("ECONNREFUSED");
  });
});
