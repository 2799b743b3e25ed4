import type { ChangeTopic } from "@parley/shared/contracts/changes.ts";
import type { QueryClient } from "@tanstack/react-query";

const OPENED_MS = 1_000;
/** Changes that arrive together cause one request. */
const GATHER_MS = 250;

/** Reloads what the pages show of the topics it is given, until aborted. */
export function reloadChanged(
  queries: QueryClient,
  signal: AbortSignal,
): (topics: readonly ChangeTopic[]) => void {
  const gathered = new Set<ChangeTopic>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer));
  return (topics) => {
    for (const topic of topics) gathered.add(topic);
    if (gathered.size === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      reload(queries, new Set(gathered));
      gathered.clear();
    }, GATHER_MS);
  };
}

/** Calls `reload` once the stream has been open for a second: a page that has just loaded asks for nothing twice at once. */
export function afterOpening(reload: () => void, signal: AbortSignal): () => void {
  return () => {
    const timer = setTimeout(reload, OPENED_MS);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  };
}

function reload(queries: QueryClient, topics: ReadonlySet<ChangeTopic>): void {
  void queries.invalidateQueries({
    predicate: ({ meta }) => {
      const own: unknown = meta?.topics;
      return Array.isArray(own) && own.some((topic) => topics.has(topic));
    },
  });
}
