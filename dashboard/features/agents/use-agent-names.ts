import type { Agent } from "@parley/shared/contracts/agents.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

const PATH = "/api/agents?limit=200";

/** Names of the organization's newest 200 agents by id; empty until loaded. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const session = useSession();
  const { org } = useHere();
  const { data } = useData(
    `${PATH}#${org.id}`,
    async () => {
      const { agents } = await session.call<{ agents: Agent[] }>(PATH, { method: "GET", orgId: org.id });
      return new Map(agents.map(({ id, name }) => [id, name]));
    },
    { isList: true },
  );
  return data ?? new Map<string, string>();
}
