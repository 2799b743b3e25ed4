import { notifyManager, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

const RETRY_AFTER_MS = 400;

/** What comes in one answer is shown in one go: each piece by itself would have the page drawn anew. */
function showTogether(): void {
  let waiting: (() => void)[] = [];
  notifyManager.setScheduler((show) => {
    if (waiting.push(show) > 1) return;
    setTimeout(() => {
      const all = waiting;
      waiting = [];
      for (const each of all) each();
    });
  });
}

/**
 * Holds what the pages have loaded. An API refusal is never retried automatically; a request that did not
 * reach the API is, once.
 */
export function createQueryClient(): QueryClient {
  showTogether();
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Asking decides whether there is a network: the API may be on this machine.
        networkMode: "always",
        retry: (failures, error) => failures < 1 && !(error instanceof ApiError),
        retryDelay: RETRY_AFTER_MS,
      },
    },
  });
}
