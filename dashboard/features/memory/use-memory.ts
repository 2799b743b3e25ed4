import type { Memory } from "@parley/shared/contracts/memory.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

export interface MemoryOfPage {
  readonly memories: readonly Memory[];
  readonly nextBefore: string | null;
}

/** Where an organization's memory is asked for. */
export function memoryPath(orgId: string): string {
  return `/api/orgs/${orgId}/memory`;
}

/** What agents remember, as the page's address narrows it down. */
export function useMemory(params: URLSearchParams): Data<MemoryOfPage> {
  const session = useSession();
  const { org } = useHere();
  const query = new URLSearchParams();
  for (const [from, to] of [
    ["identifier", "identifier"],
    ["agent", "agentId"],
    ["before", "before"],
  ] as const) {
    const value = params.get(from);
    if (value !== null && value !== "") query.set(to, value);
  }
  const path = `${memoryPath(org.id)}?${query}`;
  return useData(path, () => session.call<MemoryOfPage>(path, { method: "GET", orgId: org.id }), {
    isList: true,
  });
}
