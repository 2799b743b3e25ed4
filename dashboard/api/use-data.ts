import type { ChangeTopic } from "@parley/shared/contracts/changes.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { reasonOf } from "./api-error.ts";

export interface Data<T> {
  readonly data: T | undefined;
  /** Why it could not be loaded, in words. */
  readonly problem: string | undefined;
  /** Being loaded, for the first time or again. */
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
}

interface Options<T> {
  /** It is loaded again when the organization's stream says that one of these changed. */
  readonly topics?: readonly ChangeTopic[];
  /** It is loaded again so often while the page is looked at, it may depend on what was loaded; undefined: it is not. */
  readonly everyMs?: number | ((data: T) => number | undefined);
  /** A list: what was loaded before is shown at once when one comes back to it, and until the next page is there. */
  readonly isList?: boolean;
  /** So long it is not asked for again by another page that shows it, unless it was changed from here. */
  readonly freshMs?: number;
}

/** How long a list that nobody looks at is kept. */
const KEPT_MS = 300_000;

/**
 * Loads when the page opens and when `key` changes; the key names the data, its organization included. What was loaded
 * stays when a later load fails. What is edited is not kept: a form must not begin with what it was.
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
