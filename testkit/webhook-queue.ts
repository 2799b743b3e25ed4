import type { Database } from "@parley/control-api/database/open.ts";
import { Claims } from "@parley/control-api/webhooks/claims.ts";
import { InFlight } from "@parley/control-api/webhooks/in-flight.ts";
import type { InHand } from "@parley/control-api/webhooks/line.ts";
import {
  type Addressee,
  addresseeOf,
  type ClaimedDelivery,
  recordResults,
} from "@parley/control-api/webhooks/queue-store.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import { expect, onTestFinished } from "vitest";
import type { TestOrganization } from "./organization.ts";

const URL_OF_ALL = "https://hooks.example/";

/** An organization's queue of deliveries, without anybody who sends them. */
export class QueueOfWebhooks {
  readonly body = "{}";
  readonly #database: Database;
  readonly #organization: Pick<TestOrganization, "orgId" | "userId">;

  constructor(database: Database, organization: Pick<TestOrganization, "orgId" | "userId">) {
    this.#database = database;
    this.#organization = organization;
  }

  /** Claims as a process would; each delivery keeps its place unless it `isSentAtOnce`. A warning fails the test. */
  claiming({ isSentAtOnce, database = this.#database }: { isSentAtOnce: boolean; database?: Database }): {
    claims: Claims;
    claimed: InHand[];
    inFlight: InFlight;
  } {
    const inFlight = new InFlight();
    const claimed: InHand[] = [];
    const log = { warn: (...told: unknown[]) => expect.unreachable(JSON.stringify(told)) };
    const claims = new Claims({
      database,
      clock: systemClock,
      log: log as never,
      inFlight,
      onClaimed: (inHand) => {
        claimed.push(inHand);
        if (isSentAtOnce) inFlight.giveBack(inHand.to);
      },
    });
    onTestFinished(() => claims.stop());
    return { claims, claimed, inFlight };
  }

  /** Endpoints of one host; returns their ids. */
  async addEndpoints(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId("whk"));
    const { orgId: org_id, userId: created_by } = this.#organization;
    const common = { org_id, url: URL_OF_ALL, secret_sealed: "sealed", created_by, created_at: new Date() };
    const flags = { events: JSON.stringify(["*"]), include_recording: false, include_transcript: false };
    await this.#database.db
      .insertInto("webhook_endpoints")
      .values(ids.map((id) => ({ id, ...common, ...flags })))
      .execute();
    return ids;
  }

  /** An endpoint as the deliverer knows it. */
  addressee(id: string): Addressee {
    const { orgId: org_id } = this.#organization;
    return addresseeOf({ id, org_id, url: URL_OF_ALL, secret_sealed: "sealed" });
  }

  /** Raises a delivery for each. */
  async owe(endpointIds: readonly string[]): Promise<void> {
    const at = new Date();
    const common = { org_id: this.#organization.orgId, event: "call.dtmf", body: this.body };
    const times = { status: "pending" as const, created_at: at, next_attempt_at: at };
    await this.#database.db
      .insertInto("webhook_deliveries")
      .values(endpointIds.map((endpoint_id) => ({ id: newId("dlv"), endpoint_id, ...common, ...times })))
      .execute();
  }

  async recordDelivered(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const answer = { responseStatus: 200, responseBody: "", error: null, durationMs: 1 };
    const results = deliveries.map(({ id, attempts }) => ({
      ...answer,
      id,
      status: "delivered" as const,
      attempts: attempts + 1,
      at: new Date(),
      nextAttemptAt: null,
    }));
    await this.#database.db.transaction().execute((trx) => recordResults(trx, results));
  }

  /** Attempts that claims hold, whoever made them. */
  async countTaken(): Promise<number> {
    const rows = await this.#database.db.selectFrom("webhook_claims").select("taken").execute();
    return rows.flatMap(({ taken }) => taken).length;
  }
}
