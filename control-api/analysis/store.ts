import { type CallAnalysis, callAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { type MemorySettings, memorySettingsSchema } from "@parley/shared/contracts/memory.ts";
import {
  type PostCallAnalysis,
  postCallAnalysisSchema,
} from "@parley/shared/contracts/post-call-analysis.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import type { ErasedCalls, PersonalData } from "../modules/module.ts";
import { tallyAnalysis, untallyAnalyses } from "../records/analytics/tallies.ts";
import type { Conversation } from "./conversation.ts";

type Trx = Kysely<Tables>;

/** Calls joined with the settings they ran with; with the agent's current settings if they predate versions. */
function callsWithSettings(db: Trx) {
  return db
    .selectFrom("calls")
    .leftJoin("agents", "agents.id", "calls.agent_id")
    .leftJoin("agent_versions", (join) =>
      join
        .onRef("agent_versions.agent_id", "=", "calls.agent_id")
        .onRef("agent_versions.version", "=", "calls.agent_version"),
    );
}

const SETTINGS = sql<Record<
  string,
  unknown
> | null>`coalesce(agent_versions.settings, agents.settings) -> 'postCallAnalysis'`;

const MEMORY = sql<unknown>`coalesce(agent_versions.settings, agents.settings) -> 'memory'`;

export interface EndedCall {
  readonly sessionId: string;
  readonly orgId: string;
}

/** Of these calls, those that went live, have something said, and whose agent wants its calls analyzed. */
export async function findToAnalyze(trx: Trx, sessionIds: readonly string[]): Promise<EndedCall[]> {
  return callsWithSettings(trx)
    .select(["calls.session_id as sessionId", "calls.org_id as orgId"])
    .where("calls.session_id", "in", [...sessionIds])
    .where("calls.started_at", "is not", null)
    .where("calls.channel", "<>", SIMULATION)
    .where(sql<boolean>`${SETTINGS} ->> 'enabled' = 'true'`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("call_messages")
          .select("call_messages.event_id")
          .whereRef("call_messages.session_id", "=", "calls.session_id")
          .where(sql<boolean>`btrim(call_messages.text) <> ''`),
      ),
    )
    .execute();
}

export interface CallToAnalyze extends EndedCall {
  readonly agentId: string | null;
  readonly identifier: string | null;
  readonly endedAt: Date;
  readonly settings: PostCallAnalysis;
  readonly memory: MemorySettings;
  /** The identifier is vouched for: more than the number a phone shows. */
  readonly isIdentified: boolean;
  readonly conversation: Conversation;
}

/** Undefined when there is nothing to analyze: the content is deleted, or the analysis exists. */
export async function readCall({ db }: Database, sessionId: string): Promise<CallToAnalyze | undefined> {
  const call = await callsWithSettings(db)
    .leftJoin("call_analyses", "call_analyses.session_id", "calls.session_id")
    .select([
      "calls.org_id as orgId",
      "calls.agent_id as agentId",
      "calls.identifier",
      "calls.ended_at as endedAt",
      "calls.channel",
      "calls.direction",
      SETTINGS.as("settings"),
      MEMORY.as("memory"),
    ])
    .where("calls.session_id", "=", sessionId)
    .where("calls.content_deleted_at", "is", null)
    .where("call_analyses.session_id", "is", null)
    .executeTakeFirst();
  if (!call?.endedAt) return undefined;
  const conversation = await db
    .selectFrom("call_messages")
    .select(["role", "text"])
    .where("session_id", "=", sessionId)
    .orderBy("seq")
    .execute();
  const settings = postCallAnalysisSchema.parse(call.settings ?? {});
  const memory = memorySettingsSchema.parse(call.memory ?? {});
  const isIdentified = call.channel !== "telephony" || call.direction !== "inbound";
  return { ...call, endedAt: call.endedAt, sessionId, settings, memory, isIdentified, conversation };
}

/** The findings, or why there are none. */
type Finding =
  | { readonly analysis: CallAnalysis; readonly error?: undefined }
  | { readonly analysis?: undefined; readonly error: string };

/** Returns false, writing nothing, if the call's content was deleted meanwhile or an analysis exists. */
export async function insertAnalysis(
  trx: Trx,
  { sessionId, orgId }: EndedCall,
  { analysis, error, at }: Finding & { readonly at: Date },
): Promise<boolean> {
  const call = await trx
    .selectFrom("calls")
    .select(["id", "agent_id as agentId", "channel", "created_at as createdAt"])
    .where("session_id", "=", sessionId)
    .where("content_deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!call) return false;
  const inserted = await trx
    .insertInto("call_analyses")
    .values({
      session_id: sessionId,
      org_id: orgId,
      analysis: analysis ? JSON.stringify(analysis) : null,
      error: error ?? null,
      analyzed_at: at,
    })
    .onConflict((conflict) => conflict.column("session_id").doNothing())
    .returning("session_id")
    .executeTakeFirst();
  if (inserted && analysis) await tallyAnalysis(trx, { ...call, orgId, analysis });
  return inserted !== undefined;
}

/** Deletes what analyses found in the content, and removes it from the figures. */
export async function eraseAnalyses(trx: Trx, { sessionIds }: ErasedCalls): Promise<void> {
  const calls = await trx
    .selectFrom("call_analyses")
    .innerJoin("calls", "calls.session_id", "call_analyses.session_id")
    .select([
      "calls.id",
      "calls.org_id as orgId",
      "agent_id as agentId",
      "channel",
      "created_at as createdAt",
      "analysis",
    ])
    .where("call_analyses.session_id", "in", [...sessionIds])
    .where("analysis", "is not", null)
    .execute();
  await untallyAnalyses(
    trx,
    calls.map(({ analysis, ...call }) => ({ ...call, analysis: callAnalysis.parse(analysis) })),
  );
  await trx
    .deleteFrom("call_analyses")
    .where("session_id", "in", [...sessionIds])
    .execute();
}

/** The analyses of calls. */
export const ANALYSES: PersonalData = {
  name: "analyses",
  tables: ["call_analyses", "call_words"],
  read: (db, { orgId, sessionIds }) =>
    db
      .selectFrom("call_analyses")
      .select(["session_id as sessionId", "analysis", "analyzed_at as analyzedAt"])
      .where("org_id", "=", orgId)
      .where("session_id", "in", [...sessionIds])
      .orderBy("analyzed_at")
      .execute(),
};
