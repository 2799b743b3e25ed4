import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { newId } from "@parley/shared/ids.ts";
import { z } from "zod";
import type { BenchApi } from "../api/control-api.ts";

const sessionSchema = z.object({ data: z.object({ sessionId: z.string() }) });

export interface Messages {
  readonly events: readonly CallEvent[];
  readonly sessionIds: readonly string[];
}

/** Messages of new calls, in turn as in live calls. */
export async function makeMessages(
  api: BenchApi,
  { orgId, calls, each }: { readonly orgId: string; readonly calls: number; readonly each: number },
): Promise<Messages> {
  const sessionIds: string[] = [];
  for (let call = 0; call < calls; call++) sessionIds.push(await beginCall(api));
  const events = Array.from({ length: calls * each }, (_, i): CallEvent => {
    const seq = Math.floor(i / calls);
    const about = { id: newId("evt"), sessionId: sessionIds[i % calls] ?? "", orgId, seq };
    const said = {
      type: "call.message",
      turn: seq,
      role: "user",
      text: `This is line ${seq} of it.`,
    } as const;
    return { ...about, at: new Date().toISOString(), ...said, interrupted: false, source: "text" };
  });
  return { events, sessionIds };
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
