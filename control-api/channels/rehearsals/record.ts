import { endFor } from "@parley/shared/contracts/call-status.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { newId } from "@parley/shared/ids.ts";
import { selectPiiPolicy } from "../../agents/pii/store.ts";
import { insertEndedCall } from "../../records/call-rows/insert-call.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { handOver, inEnvelopes } from "../chat/chat-events.ts";
import { ChatRedactor } from "../chat/chat-redactor.ts";
import type { HeldRehearsal, RehearsedAgent } from "./rehearse.ts";

type RecordDeps = Pick<ChatDeps, "database" | "streams" | "clock" | "log">;

/**
 * Records a rehearsal as a call of its own channel. Its messages and tools are events like any call's; its start and
 * end raise none (docs/webhooks.md#callstarted).
 */
export async function record(
  { rehearsal, bodies, startedMs }: HeldRehearsal,
  { agent, orgId, userId, variables }: RehearsedAgent,
  deps: RecordDeps,
): Promise<void> {
  const { database, clock } = deps;
  const { sessionId, endReason } = rehearsal;
  const [startedAt, endedAt] = [new Date(startedMs), new Date(clock.wallMs())];
  const call = {
    id: newId("cal"),
    session_id: sessionId,
    org_id: orgId,
    agent_id: agent.id,
    agent_version: agent.version,
    user_id: userId,
    identifier: null,
    variables: JSON.stringify(variables),
    node_id: SIMULATION,
    channel: SIMULATION,
    direction: "web",
    created_at: startedAt,
  };
  await insertEndedCall(database.db, call, { ...endFor("in-progress", endReason), startedAt, endedAt });
  const redactor = new ChatRedactor(await selectPiiPolicy(database, orgId));
  const whose = { sessionId, orgId, lastEventAt: null };
  redactor.add(inEnvelopes(whose, { firstSeq: 0, talksElse: undefined }, bodies));
  await handOver(redactor.takeAll(), deps);
}
