import type { Memory } from "@parley/shared/contracts/memory.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

export interface MemoryOfPage {
  readonly memories: readonly Memory[];
  readonly nextBefore: string | null;
}

/** API path of an organization's memory. */
export function memoryPath(orgId: string): string {
  return `/api/orgs/${orgId}/memory`;
}

/** What agents remember, filtered by the page's address. */
export function useMemory(params: URLSearchParams): Data<MemoryOfPage> {
  const session = useSession();
  const { org } = useHere();
  const query = memoryQuery(params);
  const path = query.size === 0 ? memoryPath(org.id) : `${memoryPath(org.id)}?${query}`;
  return useData(path, () => session.call<MemoryOfPage>(path, { method: "GET", orgId: org.id }), {
    isList: true,
  });
}

/** The API's query for a page's address. */
export function memoryQuery(params: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const [from, to] of [
    ["identifier", "identifier"],
    ["agent", "agentId"],
    ["before", "before"],
  ] as const) {
    const value = params.get(from);
    if (value !== null && value !== "") query.set(to, value);
  }
  return query;
}
