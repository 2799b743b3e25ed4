import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

const RETRY_AFTER_MS = 400;

/** What the pages have loaded. What the API refused is not asked for again by itself; what did not reach it, once. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Whether there is a network is found out by asking: the API may be on this machine.
        networkMode: "always",
        retry: (failures, error) => failures < 1 && !(error instanceof ApiError),
        retryDelay: RETRY_AFTER_MS,
      },
    },
  });
}
