import { dialsAttempts, type PlaceCall } from "@parley/control-api/campaigns/runner/dial-attempt.ts";
import { runCampaigns } from "@parley/control-api/campaigns/runner/run-campaigns.ts";
import { addTargets } from "@parley/control-api/campaigns/targets/add-targets.ts";
import { type Database, openDatabase } from "@parley/control-api/database/open.ts";
import { JobQueue } from "@parley/control-api/jobs/queue.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { campaignSettingsSchema } from "@parley/shared/contracts/campaigns.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import type { ManualClock } from "@parley/shared/manual-clock.ts";
import type { CampaignLine } from "./campaign-line.ts";
import { createTestDatabase } from "./postgres.ts";

/** At any time of any day. */
const ALWAYS = { days: [0, 1, 2, 3, 4, 5, 6], from: "00:00", to: "23:59" };
const ONCE = { times: 0, afterMinutes: 1 };
export const NO_RETRIES = { no_answer: ONCE, busy: ONCE, voicemail: ONCE, failed: ONCE };
const QUIET = createLogger({ level: "silent", format: "json", name: "test" });

type Job = { readonly id: string; readonly payload: unknown };

/** The runner of campaigns on a database of its own, with as many processes, and as much time, as a test wants. */
export class CampaignRunner {
  readonly database: Database;
  readonly orgId = newId("org");
  readonly #drop: () => Promise<void>;

  private constructor(database: Database, drop: () => Promise<void>) {
    this.database = database;
    this.#drop = drop;
  }

  static async start(): Promise<CampaignRunner> {
    const own = await createTestDatabase();
    const database = await openDatabase({ databaseUrl: own.url });
    const runner = new CampaignRunner(database, () => own.drop());
    const organization = { id: runner.orgId, name: "Acme", created_at: new Date() };
    await database.db.insertInto("organizations").values(organization).execute();
    return runner;
  }

  async clear(): Promise<void> {
    await this.database.db.deleteFrom("campaigns").execute();
    await this.database.db.deleteFrom("jobs").execute();
  }

  async stop(): Promise<void> {
    await this.database.close();
    await this.#drop();
  }

  /** What a process does in a round: it looks who is called next, and dials them. */
  processOf(clock: Clock, placeCall: PlaceCall) {
    const { channels } = createMemoryBus({ clock: systemClock });
    const { database, orgId } = this;
    const deps = { database, clock, placeCall, log: QUIET, queue: new JobQueue({ clock, channels }) };
    const dials = dialsAttempts(deps);
    const { signal } = new AbortController();
    const dial = async ({ id, payload }: Job) => {
      const progress = async () => undefined;
      await dials.run({ jobId: id, orgId, payload, attempt: 1, signal, progress });
      await database.db.deleteFrom("jobs").where("id", "=", id).execute();
    };
    return { look: () => runCampaigns(signal, deps), dial };
  }

  jobs(): Promise<Job[]> {
    return this.database.db.selectFrom("jobs").select(["id", "payload"]).execute();
  }

  /** A campaign that runs. */
  async begin(
    clock: Clock,
    settings: Record<string, unknown>,
    rows: readonly Record<string, string>[],
  ): Promise<string> {
    const { database, orgId } = this;
    const id = newId("cmp");
    const at = new Date(clock.wallMs());
    const parsed = campaignSettingsSchema.parse({ agentId: "agt_1", hours: ALWAYS, ...settings });
    await database.db
      .insertInto("campaigns")
      .values({
        ...{ id, org_id: orgId, kind: "calls", name: "Test", status: "running", created_by: "usr_1" },
        ...{ settings: JSON.stringify(parsed), created_at: at, updated_at: at, started_at: at },
      })
      .execute();
    await addTargets({ orgId, campaignId: id }, { rows, mapping: {} }, { database, clock });
    return id;
  }

  targetsOf(id: string) {
    return this.database.db
      .selectFrom("campaign_targets")
      .select(["id", "phone", "zone", "state", "outcome", "attempts"])
      .where("campaign_id", "=", id)
      .orderBy("arrived")
      .execute();
  }

  campaignOf(id: string) {
    return this.database.db
      .selectFrom("campaigns")
      .select(["status", "status_reason as reason"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  }

  roundsOf(clock: ManualClock, line: CampaignLine) {
    const { look, dial } = this.processOf(clock, line.placeCall());
    return async (stepMs = 1_000): Promise<void> => {
      await look();
      for (const job of await this.jobs()) await dial(job);
      clock.advance(stepMs);
      await line.endCalls();
    };
  }

  /** Time goes on until the campaign runs no more. */
  async runUntilOver(
    id: string,
    { clock, line, stepMs = 1_000 }: { clock: ManualClock; line: CampaignLine; stepMs?: number },
  ) {
    const round = this.roundsOf(clock, line);
    while ((await this.campaignOf(id)).status === "running") await round(stepMs);
    return this.campaignOf(id);
  }
}

/** Rows of so many people. */
export function phones(count: number): { phone: string }[] {
  return Array.from({ length: count }, (_, i) => ({ phone: `+120255${10_000 + i}` }));
}
