import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { agentForCall } from "../../agents/agents/agent-for-call.ts";
import { callVariables } from "../../agents/agents/call-variables.ts";
import type { StoredAgent } from "../../agents/agents/store.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { record } from "./record.ts";
import { type HeldRehearsal, rehearse } from "./rehearse.ts";

/** Held side by side. */
const AT_ONCE = 10;

export interface WantedRehearsals {
  readonly scenarios: readonly Scenario[];
  /** As it is, or as somebody drafts it. */
  readonly agent: StoredAgent;
  readonly userId: string;
  readonly brain: BrainClient;
  /** Nobody waits for the report any more, or it has taken too long. */
  readonly signal: AbortSignal;
}

/** Holds and records one conversation for each scenario, several side by side; in the order of the scenarios. */
export async function holdAll(
  { scenarios, agent: stored, userId, brain, signal }: WantedRehearsals,
  deps: ChatDeps,
): Promise<HeldRehearsal["rehearsal"][]> {
  const { clock } = deps;
  const [orgId, agentId] = [stored.org_id, stored.id];
  const held: HeldRehearsal["rehearsal"][] = [];
  const waiting = [...scenarios.entries()];
  const holdNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, scenario] = next;
      const variables = callVariables(scenario, clock.wallMs());
      const wanted = { orgId, agentId, callerKind: "member", variables, as: stored } as const;
      const rehearsed = { agent: await agentForCall(wanted, deps), orgId, userId, variables };
      const one = await rehearse(scenario, rehearsed, { brain, clock, signal });
      await record(one, rehearsed, deps);
      held[index] = one.rehearsal;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, holdNext));
  return held;
}
