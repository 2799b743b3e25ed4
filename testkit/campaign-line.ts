import { holdToList } from "@parley/control-api/campaigns/do-not-call/hold-to-list.ts";
import type { PlaceCall } from "@parley/control-api/campaigns/runner/dial-attempt.ts";
import type { Database } from "@parley/control-api/database/open.ts";
import { insertCallRow } from "@parley/control-api/records/call-rows/insert-call.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { InitiateCall } from "@parley/shared/contracts/telephony.ts";
import { newId } from "@parley/shared/ids.ts";
import { sql } from "kysely";

/** How a call to a number ends, and when. */
export interface LineEnd {
  readonly status: "completed" | "busy" | "no-answer" | "failed";
  readonly afterMs?: number;
  readonly answeredBy?: string;
}

export interface Dialed {
  readonly sessionId: string;
  readonly to: string;
  readonly atMs: number;
  readonly campaignId: string | undefined;
}

/** Places calls as the channels do, including records, on a test's own line. */
export class CampaignLine {
  /** Every phone that rang. */
  readonly dialed: Dialed[] = [];
  /** Calls that have not ended. */
  readonly live = new Map<string, { readonly endsAtMs: number; readonly end: LineEnd }>();
  mostLive = 0;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #endOf: (to: string, times: number) => LineEnd;

  constructor(
    database: Database,
    clock: Clock,
    endOf: (to: string, times: number) => LineEnd = () => ({ status: "completed" }),
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#endOf = endOf;
  }

  /** `holds`: pauses the process at a point of a call. */
  placeCall(
    holds: (at: "before" | "meant" | "rings") => Promise<void> | undefined = () => undefined,
  ): PlaceCall {
    return async (input, { orgId, userId, campaignId }, intend) => {
      await holds("before");
      const sessionId = await this.#write(input, orgId, userId);
      await intend(sessionId);
      await holds("meant");
      await this.#ring(sessionId, input.to, campaignId);
      await holds("rings");
      const callId = `cal_${sessionId}`;
      return { sessionId, callId, callSid: sessionId, status: "queued", fromNumber: "", toNumber: input.to };
    };
  }

  /** Records the calls that have ended by now. */
  async endCalls(): Promise<void> {
    const now = this.#clock.wallMs();
    for (const [sessionId, { endsAtMs, end }] of this.live) {
      if (endsAtMs > now) continue;
      this.live.delete(sessionId);
      await sql`update calls set status = ${end.status}, answered_by = ${end.answeredBy ?? null},
        ended_at = ${new Date(endsAtMs)}, duration_secs = ${Math.round((end.afterMs ?? 0) / 1_000)}
        where session_id = ${sessionId}`.execute(this.#database.db);
    }
  }

  async #write({ agentId, to, variables }: InitiateCall, orgId: string, userId: string): Promise<string> {
    const sessionId = newId("ses");
    const at = new Date(this.#clock.wallMs());
    const about = { sessionId, orgId, agentId, channel: "telephony", dials: to, at };
    await this.#database.db.transaction().execute(async (trx) => {
      await holdToList(trx, about);
      await insertCallRow(trx, {
        ...{
          id: `cal_${sessionId}`,
          session_id: sessionId,
          org_id: orgId,
          agent_id: agentId,
          agent_version: 1,
        },
        ...{ user_id: userId, identifier: null, variables: JSON.stringify(variables), node_id: "nod_1" },
        ...{ channel: "telephony", direction: "outbound", from_number: null, to_number: to, call_sid: null },
        ...{ carrier: "loopback", machine_detection: null, created_at: at },
      });
    });
    return sessionId;
  }

  async #ring(sessionId: string, to: string, campaignId: string | undefined): Promise<void> {
    const atMs = this.#clock.wallMs();
    const end = this.#endOf(to, this.dialed.filter((one) => one.to === to).length + 1);
    this.dialed.push({ sessionId, to, atMs, campaignId });
    this.live.set(sessionId, { endsAtMs: atMs + (end.afterMs ?? 0), end });
    this.mostLive = Math.max(this.mostLive, this.live.size);
    await sql`update calls set call_sid = ${sessionId} where session_id = ${sessionId}`.execute(
      this.#database.db,
    );
  }
}
