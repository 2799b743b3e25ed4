import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lentEmbedded } from "../../../testkit/lent-database.ts";
import { needs } from "../../../testkit/needs.ts";
import { createTestDatabase } from "../../../testkit/postgres.ts";
import { type Databases, openDatabase } from "../../database/open.ts";
import { readCallOutcomes } from "./outcomes.ts";
import { readCallAnalytics } from "./period.ts";
import { rollUpDays } from "./roll-up.ts";
import { sourcesOf } from "./sources.ts";
import { tallyAnalysis, untallyAnalyses } from "./tallies.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days that the database's own clock knows to be over. */
const FIRST_MS = Date.parse("2026-03-01T00:00:00Z");
const DAYS = 5;
const NOW_MS = FIRST_MS + DAYS * DAY_MS + 10 * HOUR_MS;
const ORGS = ["org_a", "org_b"];
const PERIODS = {
  "from midnight in UTC": { from: 0, to: DAYS * 24, stepSecs: 86_400 },
  "from midnight in Kathmandu": { from: -5.75, to: DAYS * 24 - 5.75, stepSecs: 86_400 },
  "from midnight in New York, of an agent": {
    from: 5,
    to: DAYS * 24 + 5,
    stepSecs: 86_400,
    agentId: "agt_1",
  },
  "hour by hour, of a channel": { from: 7.5, to: 3 * 24, stepSecs: 3_600, channel: "telephony" },
  "of an agent and a channel": { from: 1, to: 60, stepSecs: 86_400, agentId: "agt_2", channel: "web_chat" },
  "of a part of a day": { from: 25.25, to: 26.5, stepSecs: 3_600 },
};

describe("a period's sources", () => {
  const range = (fromHours: number, toHours: number) => ({
    fromMs: FIRST_MS + fromHours * HOUR_MS,
    toMs: FIRST_MS + toHours * HOUR_MS,
  });
  const day = (nr: number): number => FIRST_MS + nr * DAY_MS;

  it("are whole days, what is left of days at both ends, and what is not rolled up", () => {
    expect(sourcesOf(range(20, 106), [day(0), day(1), day(3), day(4)])).toEqual({
      rolled: [range(20, 48), range(72, 106)],
      days: [range(24, 48), range(72, 96)],
      edges: [range(20, 24), range(96, 106)],
      open: [range(48, 72)],
    });
  });

  it("are all open before anything is rolled up", () => {
    expect(sourcesOf(range(1, 2), [])).toEqual({ rolled: [], days: [], edges: [], open: [range(1, 2)] });
  });
});

/** What analyses of calls are when nothing is in them. */
const NOTHING: CallAnalysis = {
  summary: null,
  sentiment: null,
  sentimentScore: null,
  disposition: null,
  actionItems: [],
  customData: {},
  evidence: {},
  qa: [],
  objections: [],
  coaching: [],
  hallucinations: [],
  score: null,
  cx: { rating: null, friction: [], highlights: [] },
  topics: [],
  keywords: [],
  talkRatio: { agentWords: 0, customerWords: 0, agentTurns: 0, customerTurns: 0 },
  model: "parley-local",
};

describe.each(["pglite", ...(needs("postgres") ? ["postgres"] : [])])("days rolled up, on %s", (kind) => {
  let database: Databases;
  let drop = async (): Promise<void> => undefined;
  const clock = new ManualClock(NOW_MS);
  beforeAll(async () => {
    const made = kind === "postgres" ? await createTestDatabase() : undefined;
    drop = made?.drop ?? drop;
    database = made ? await openDatabase({ databaseUrl: made.url }) : await lentEmbedded();
    for (const orgId of ORGS) await fill(orgId);
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  /** Counts of an organization in each quarter of an hour, of three agents and two channels; of the agents one is nobody. */
  async function fill(orgId: string): Promise<void> {
    const { db } = database;
    await sql`insert into organizations (id, name, created_at) values (${orgId}, ${orgId}, now())`.execute(
      db,
    );
    const cells = sql`(select to_timestamp(${FIRST_MS / 1_000}::float8 + n * 900) as quarter, n, agent_id, channel,
        (n * 7 + length(agent_id) * 5 + length(channel)) % 11 as much
      from generate_series(0, ${DAYS * 96 + 39}::int) n, unnest(array['agt_1', 'agt_2', '']) agent_id,
        unnest(array['telephony', 'web_chat']) channel) cells where much > 3`;
    await sql`insert into call_counts select ${orgId}, quarter, agent_id, channel, much, much - 1, 1, much * 61
      from ${cells}`.execute(db);
    await sql`insert into response_counts (org_id, quarter, agent_id, channel, bucket, turns)
      select ${orgId}, quarter, agent_id, channel, 20 + (n + m * much) % 17, much
      from (select * from ${cells}) cells, generate_series(1, 2) m on conflict do nothing`.execute(db);
    await sql`insert into call_tallies (org_id, quarter, agent_id, channel, measure, value, times)
      select ${orgId}, quarter, agent_id, channel, 'topic', 'topic ' || much % 4, much
      from ${cells}`.execute(db);
  }

  async function figures() {
    return Promise.all(
      Object.values(PERIODS).map(async ({ from, to, ...rest }) => {
        const period = {
          ...rest,
          from: new Date(FIRST_MS + from * HOUR_MS),
          to: new Date(FIRST_MS + to * HOUR_MS),
        };
        return [
          await readCallAnalytics(database.db, "org_a", period),
          await readCallOutcomes(database.db, "org_a", period),
        ];
      }),
    );
  }

  /** The same from the counts themselves. */
  async function recounted() {
    const { rows } = await sql<{ day: Date }>`delete from rolled_days returning day`.execute(database.db);
    const counted = await figures();
    for (const { day } of rows) await database.db.insertInto("rolled_days").values({ day }).execute();
    return counted;
  }

  const late = {
    id: "cal_late",
    orgId: "org_a",
    agentId: "agt_1",
    channel: "telephony",
    createdAt: new Date(FIRST_MS + 30 * HOUR_MS),
    analysis: { ...NOTHING, sentiment: "negative", topics: ["found late"] } satisfies CallAnalysis,
  };
  const wordsOf = async (word: string): Promise<number> =>
    (
      await readCallOutcomes(database.db, "org_a", { from: new Date(FIRST_MS), to: new Date(NOW_MS) })
    ).topics.find(({ value }) => value === word)?.times ?? 0;

  it("say what their counts say, in any zone and of any part", async () => {
    const before = await figures();
    await rollUpDays({ database, clock });
    const { rows } =
      await sql`select from rolled_days where day >= to_timestamp(${FIRST_MS / 1_000})`.execute(database.db);
    expect(rows).toHaveLength(DAYS);
    // Counts of days that are rolled up are not read again.
    await sql`update call_counts set ended = ended + 1000 where quarter < to_timestamp(${(NOW_MS - DAY_MS) / 1_000})`.execute(
      database.db,
    );
    expect(await figures()).toEqual(before);
    await sql`update call_counts set ended = ended - 1000 where quarter < to_timestamp(${(NOW_MS - DAY_MS) / 1_000})`.execute(
      database.db,
    );
    expect(await recounted()).toEqual(before);
  });

  it("say at once what was found late, and what was taken back, and so again when they are rolled up anew", async () => {
    await database.db.transaction().execute((trx) => tallyAnalysis(trx, late));
    expect(await wordsOf("found late")).toBe(1);
    expect(await figures()).toEqual(await recounted());
    await rollUpDays({ database, clock });
    expect(await sql`select from late_days`.execute(database.db)).toMatchObject({ rows: [] });
    expect(await wordsOf("found late")).toBe(1);
    await database.db.transaction().execute((trx) => untallyAnalyses(trx, [late]));
    expect(await wordsOf("found late")).toBe(0);
    await rollUpDays({ database, clock });
    expect(await wordsOf("found late")).toBe(0);
    expect(await figures()).toEqual(await recounted());
  });

  // PGlite has one connection: there nothing can be counted meanwhile.
  if (kind === "pglite") return;
  it("miss nothing that is counted while they are rolled up", async () => {
    let commit: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let tallied: () => void = () => undefined;
    const isTallied = new Promise<void>((resolve) => {
      tallied = resolve;
    });
    const counting = database.db.transaction().execute(async (trx) => {
      await tallyAnalysis(trx, late);
      tallied();
      await held;
    });
    await isTallied;
    // The day is rolled up again for another change, and without the one that nobody sees yet.
    await sql`insert into late_days values ('org_a', ${new Date(FIRST_MS + DAY_MS)})`.execute(database.db);
    await rollUpDays({ database, clock });
    expect(await wordsOf("found late")).toBe(0);
    commit();
    await counting;
    expect(await wordsOf("found late")).toBe(1);
    await rollUpDays({ database, clock });
    expect(await figures()).toEqual(await recounted());
  });
});
