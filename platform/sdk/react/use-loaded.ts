import { useCallback, useEffect, useRef, useState } from "react";

export interface Loaded<T> {
  readonly value: T;
  /** True until the first answer. */
  readonly loading: boolean;
  readonly error: Error | null;
  readonly reload: () => Promise<void>;
  /** Changes the shown value until the next read. */
  readonly change: (next: (value: T) => T) => void;
}

/**
 * Reads when the page opens and when `key` changes. Only one read runs at a time: requests meanwhile cause
 * one more read afterwards. A failed read keeps the earlier value. Without `load`, the value is `empty`.
 */
export function useLoaded<T>(key: string, empty: T, load: (() => Promise<T>) | undefined): Loaded<T> {
  const [state, setState] = useState({
    key,
    value: empty,
    loading: load !== undefined,
    error: null as Error | null,
  });
  const loader = useRef(load);
  loader.current = load;
  const nothing = useRef(empty);
  const reader = useRef<{ key: string; read: () => Promise<void> } | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const read = oneAtATime(async () => {
      if (!isCurrent || loader.current === undefined) return;
      try {
        const value = await loader.current();
        if (isCurrent) setState({ key, value, loading: false, error: null });
      } catch (error) {
        const shown = error instanceof Error ? error : new Error(String(error));
        if (isCurrent) {
          setState((before) => ({
            key,
            value: before.key === key ? before.value : nothing.current,
            loading: false,
            error: shown,
          }));
        }
      }
    });
    reader.current = { key, read };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [key]);
  const reload = useCallback(async () => reader.current?.read(), []);
  const change = useCallback(
    (next: (value: T) => T) => setState((before) => ({ ...before, value: next(before.value) })),
    [],
  );
  // A value read for another key never shows for this one, not even for one render.
  const { value, loading, error } =
    state.key === key ? state : { value: empty, loading: load !== undefined, error: null };
  return { value, loading, error, reload, change };
}

/** Requests made while `work` runs share a single further run. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) return run();
    next ??= running.then(() => {
      next = undefined;
      return run();
    });
    return next;
  };
}
