import { type Databases, openDatabase } from "@parley/control-api/database/open.ts";
import { searchesKnowledge } from "@parley/control-api/knowledge/search/search.ts";
import { wordsOfPart } from "@parley/control-api/knowledge/search/words.ts";
import { LARGE_ORG } from "@parley/loadtest/lists/fill-calls.ts";
import { fillParts, LARGE_BASE, questionsOf } from "@parley/loadtest/lists/fill-parts.ts";
import { explain, rowsRead, scannedTables } from "@parley/loadtest/lists/plans.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needs } from "../testkit/needs.ts";
import { createTestDatabase } from "../testkit/postgres.ts";

/** So many that the planner takes an index where it would with a hundred thousand. */
const PARTS = 10_000;
const WORDS_OF_PART = 30;
/** Weighed by their terms, whatever the size of the base. */
const WEIGHED = 1_000;

describe.runIf(needs("postgres"))("a search in a base of many parts", () => {
  let databases: Databases;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const made = await createTestDatabase();
    drop = made.drop;
    databases = await openDatabase({ databaseUrl: made.url });
    await databases.unbounded(async ({ db }) => {
      await fillParts(db, {
        parts: PARTS,
        wordsOfPart: WORDS_OF_PART,
        wordsOf: wordsOfPart,
        say: () => undefined,
      });
    });
  }, 120_000);
  afterAll(async () => {
    await databases.close();
    await drop();
  });

  it.each(questionsOf(5))("for %s reads the index, and no more parts than are weighed", async (text) => {
    const search = searchesKnowledge();
    const query = { orgId: LARGE_ORG, baseIds: [LARGE_BASE], text, limit: 5 };
    const explained = await explain(databases.reads.db, async (db) => {
      expect(await search({ ...databases.reads, db }, query)).toHaveLength(5);
    });
    expect(explained.flatMap(scannedTables)).not.toContain("knowledge_parts");
    expect(explained.flatMap(({ plan }) => plan).join("\n")).toContain("knowledge_parts_words");
    expect(Math.max(...explained.map(rowsRead))).toBeLessThanOrEqual(WEIGHED);
  });
});
