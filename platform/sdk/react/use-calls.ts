import { currentPlatform, isAvailable } from "../bridge/current-platform.ts";
import type { Agent } from "../types/agents.ts";
import type { CallFilters, CallRecord } from "../types/calls.ts";
import { useLoaded } from "./use-loaded.ts";

/** The organization's agents; empty on a dashboard without them. */
export function useAgents(): {
  readonly agents: Agent[];
  readonly loading: boolean;
  readonly error: Error | null;
  readonly reload: () => Promise<void>;
} {
  const load = isAvailable("agents.list") ? () => currentPlatform().agents.list() : undefined;
  const { value: agents, loading, error, reload } = useLoaded<Agent[]>("agents", [], load);
  return { agents, loading, error, reload };
}

/** The organization's calls, filtered by, say, `{ number: "+15550001111" }` or `{ sessionId: "a,b" }`. */
export function useCallHistory(filters: CallFilters = {}): {
  readonly calls: CallRecord[];
  readonly loading: boolean;
  readonly error: Error | null;
  readonly reload: () => Promise<void>;
} {
  const load = isAvailable("calls.history") ? () => currentPlatform().calls.history(filters) : undefined;
  const { value: calls, loading, error, reload } = useLoaded<CallRecord[]>(JSON.stringify(filters), [], load);
  return { calls, loading, error, reload };
}

/** Places calls. To pass variables to the agent, use `usePlatform().calls.initiate`. */
export function useCall(): {
  initiate(agentId: string, phone: string): Promise<{ sessionId: string }>;
} {
  return CALL;
}

/** One for all renders, so that effects may depend on it. */
const CALL: ReturnType<typeof useCall> = {
  initiate: (agentId, phone) => currentPlatform().calls.initiate(agentId, phone),
};
