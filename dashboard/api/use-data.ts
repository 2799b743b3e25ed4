import type { ChangeTopic } from "@parley/shared/contracts/changes.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { reasonOf } from "./api-error.ts";

export interface Data<T> {
  readonly data: T | undefined;
  /** Why loading failed, in words. */
  readonly problem: string | undefined;
  /** Loading, for the first time or again. */
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
}

interface Options<T> {
  /** Reloads when the organization's stream reports a change to one of these. */
  readonly topics?: readonly ChangeTopic[];
  /** Polling interval while the page is visible, possibly derived from the data; undefined disables polling. */
  readonly everyMs?: number | ((data: T) => number | undefined);
  /** Marks a list: on return, shows the earlier data at once and keeps it until the next page arrives. */
  readonly isList?: boolean;
  /** How long other pages reuse the data without a request, unless it is changed from here. */
  readonly freshMs?: number;
}

/** How long an unused list stays cached. */
const KEPT_MS = 300_000;

/**
 * Loads when the page opens and when `key` changes; the key names the data, including its organization. A
 * failed load keeps the earlier data. Editable data is not cached: a form must not start from an outdated
 * state.
 */
export function useData<T>(
  key: string,
  load: () => Promise<T>,
  { topics = [], everyMs, isList = false, freshMs = 0 }: Options<T> = {},
): Data<T> {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [key],
    queryFn: load,
    meta: { topics },
    gcTime: isList ? KEPT_MS : 0,
    staleTime: freshMs,
    refetchInterval:
      typeof everyMs === "function"
        ? ({ state }) => (state.data === undefined ? false : (everyMs(state.data) ?? false))
        : (everyMs ?? false),
    refetchOnWindowFocus: everyMs !== undefined || topics.length > 0,
    ...(isList ? { placeholderData: keepPreviousData } : {}),
  });
  const reload = useCallback(async () => void (await refetch()), [refetch]);
  return { data, problem: error === null ? undefined : reasonOf(error), isLoading: isFetching, reload };
}
