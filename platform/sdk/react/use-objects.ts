import { useEffect, useMemo } from "react";
import { currentPlatform, isAvailable } from "../bridge/current-platform.ts";
import type { AppRecord, DataEvent } from "../types/records.ts";
import { useLoaded } from "./use-loaded.ts";

export interface Objects<T> {
  readonly data: AppRecord<T>[];
  /** True until the first answer. */
  readonly loading: boolean;
  readonly error: Error | null;
  readonly create: (data: T) => Promise<AppRecord<T>>;
  readonly update: (id: string, data: Partial<T>) => Promise<AppRecord<T>>;
  /** `deleted` is false when there was no such record. */
  readonly remove: (id: string) => Promise<{ deleted: boolean }>;
}

/**
 * The app's records of a type, live: shows every change, made here or elsewhere. `query` supports equality
 * only, as `{ status: "open" }`; for anything else use `usePlatform().data.list`.
 */
export function useObjects<T = Record<string, unknown>>(
  type: string,
  query: Readonly<Record<string, string>> = {},
): Objects<T> {
  const key = JSON.stringify([type, query]);
  const load = isAvailable("data.list") ? () => currentPlatform().data.list<T>(type, query) : undefined;
  const { value, loading, error, reload, change } = useLoaded<AppRecord<T>[]>(key, [], load);
  useEffect(() => {
    if (!isAvailable("data.subscribe")) return;
    let isOver = false;
    let stop: (() => void) | undefined;
    const onChange = (event: DataEvent<T>): void => {
      change((shown) => applied(event, shown));
      void reload();
    };
    const subscribed = currentPlatform().data.subscribe<T>(type, onChange, () => void reload());
    subscribed
      // Lists again: changes between the first list and the subscription are in neither.
      .then((unsubscribe) => {
        if (isOver) return unsubscribe();
        stop = unsubscribe;
        void reload();
      })
      // Without a subscription the list stays as read; the list's own error is shown.
      .catch(() => undefined);
    return () => {
      isOver = true;
      stop?.();
    };
  }, [type, reload, change]);
  const actions = useMemo(
    () => ({
      create: (data: T) => currentPlatform().data.create<T>(type, data),
      update: (id: string, data: Partial<T>) => currentPlatform().data.update<T>(type, id, data),
      remove: (id: string) => currentPlatform().data.remove(type, id),
    }),
    [type],
  );
  return { data: value, loading, error, ...actions };
}

/** Applies a change at once; its effect on query and order comes with the next list. */
function applied<T>({ event, id, data }: DataEvent<T>, shown: AppRecord<T>[]): AppRecord<T>[] {
  if (event === "deleted") return shown.filter((record) => record.id !== id);
  if (event === "updated" && data !== null) {
    return shown.map((record) => (record.id === id ? { ...record, data } : record));
  }
  return shown;
}
