import type { Database } from "@parley/control-api/database/open.ts";
import { CALL_EVENTS_STREAM, type CallEvent, encodeCallEvent } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { z } from "zod";
import type { Stack } from "../../stack/stack.ts";
import type { BenchApi } from "../api/control-api.ts";
import { pause } from "../harness/pause.ts";

const TURNS = 6;
export const CALL_SECS = 60;
const LOOK_EVERY_MS = 20;
const GIVE_UP_MS = 120_000;
const sessionSchema = z.object({ data: z.object({ sessionId: z.string() }) });

export interface World {
  readonly stack: Stack;
  readonly api: BenchApi;
  readonly database: Database;
  readonly orgId: string;
}

/** A gateway's events for a one-minute call: what both said, what the model used, its end. */
function eventsOfCall(sessionId: string, orgId: string): CallEvent[] {
  const turns = Array.from({ length: TURNS }, (_, i) => {
    const said = { type: "call.message", turn: i + 1, interrupted: false } as const;
    return [
      {
        ...said,
        role: "user",
        text: "Do you have a table for two tomorrow evening?",
        source: "speech",
      } as const,
      tokensUsed(i + 1),
      {
        ...said,
        role: "assistant",
        text: "We do, by the window. Shall I book it?",
        source: "brain",
      } as const,
    ];
  }).flat();
  const bodies = [
    { type: "call.started", nodeId: "nod_bench", audio: "none" } as const,
    ...turns,
    { type: "call.ended", reason: "hangup", status: "completed", durationSecs: CALL_SECS } as const,
  ];
  const at = new Date().toISOString();
  return bodies.map((body, seq) => ({ id: newId("evt"), sessionId, orgId, seq, at, ...body }) as CallEvent);
}

function tokensUsed(turn: number) {
  const model = "a-model-of-this-year";
  return { type: "call.tokens_used", turn, model, isOwn: false, inputTokens: 812, outputTokens: 43 } as const;
}

/** Events that lead to nothing but usage. */
export const COUNTED_TURNS = Array.from({ length: TURNS }, (_, i) => tokensUsed(i + 1));

/** Runs `calls` calls from their start to the record of their end. */
export async function recordCalls({ stack, api, database, orgId }: World, calls: number): Promise<string[]> {
  const sessionIds: string[] = [];
  for (let call = 0; call < calls; call++) sessionIds.push(await beginCall(api));
  const told = sessionIds.map((sessionId) => eventsOfCall(sessionId, orgId));
  for (const events of told)
    for (const event of events) await stack.bus.streams.append(CALL_EVENTS_STREAM, encodeCallEvent(event));
  const ended = database.db
    .selectFrom("calls")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("session_id", "in", sessionIds)
    .where("ended_at", "is not", null);
  await until("calls recorded", calls, async () => Number((await ended.executeTakeFirstOrThrow()).count));
  return sessionIds;
}

/** Resolves when the calls' usage is charged and no holds remain. */
export async function charged({ database }: World, sessionIds: readonly string[]): Promise<void> {
  const settled = database.db
    .selectFrom("billed_calls")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("session_id", "in", [...sessionIds])
    .where("settled_at", "is not", null);
  await until("calls charged", sessionIds.length, async () =>
    Number((await settled.executeTakeFirstOrThrow()).count),
  );
}

async function until(what: string, wanted: number, count: () => Promise<number>): Promise<void> {
  const giveUpMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    const is = await count();
    if (is === wanted) return;
    if (performance.now() > giveUpMs) throw new Error(`${is} of ${wanted} ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}

async function beginCall({ baseUrl, apiKey, agentId }: BenchApi): Promise<string> {
  const response = await fetch(`${baseUrl}/api/sessions/init-web-call`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ agentId }),
  });
  if (!response.ok) throw new Error(`a call answered ${response.status}: ${await response.text()}`);
  return sessionSchema.parse(await response.json()).data.sessionId;
}
