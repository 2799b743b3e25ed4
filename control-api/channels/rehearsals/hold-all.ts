import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { Scenario } from "@parley/shared/contracts/rehearsals.ts";
import { agentForCall } from "../../agents/agents/agent-for-call.ts";
import { callVariables } from "../../agents/agents/call-variables.ts";
import type { StoredAgent } from "../../agents/agents/store.ts";
import type { ChatDeps } from "../chat/chat-deps.ts";
import { withGivenTools } from "./given-tools.ts";
import { record } from "./record.ts";
import { type HeldRehearsal, rehearse } from "./rehearse.ts";

/** Conversations held concurrently. */
const AT_ONCE = 10;

export interface WantedRehearsals {
  readonly scenarios: readonly Scenario[];
  /** The saved agent, or a draft of it. */
  readonly agent: StoredAgent;
  readonly userId: string;
  readonly brain: BrainClient;
  /** Aborts when nobody waits for the report any longer, or when time is up. */
  readonly signal: AbortSignal;
}

/** Holds and records one conversation per scenario, several concurrently; returns them in scenario order. */
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
      const rehearsed = {
        agent: withGivenTools(await agentForCall(wanted, deps), scenario.tools),
        orgId,
        userId,
        variables,
      };
      const one = await rehearse(scenario, rehearsed, { brain, clock, signal });
      await record(one, rehearsed, deps);
      held[index] = one.rehearsal;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, holdNext));
  return held;
}
