import { useCallback, useEffect, useRef, useState } from "react";
import { reasonOf } from "./api-error.ts";

export interface Data<T> {
  readonly data: T | undefined;
  /** Why it could not be loaded, in words. */
  readonly problem: string | undefined;
  readonly reload: () => Promise<void>;
}

/**
 * Loads when the page opens and when `key` changes; an answer that comes too late for its key is dropped. What was
 * loaded stays when a later load fails.
 */
export function useData<T>(key: string, load: () => Promise<T>): Data<T> {
  const [state, setState] = useState<{ key: string; data?: T; problem?: string }>({ key });
  const latest = useRef({ key, load });
  useEffect(() => {
    latest.current = { key, load };
  });
  const reload = useCallback(async () => {
    // What is shown by now must not make room for what was.
    const isLate = (): boolean => latest.current.key !== key;
    if (isLate()) return;
    try {
      const data = await latest.current.load();
      if (!isLate()) setState({ key, data });
    } catch (error) {
      if (isLate()) return;
      setState((before) => ({ ...(before.key === key ? before : { key }), problem: reasonOf(error) }));
    }
  }, [key]);
  useEffect(() => void reload(), [reload]);
  const isCurrent = state.key === key;
  return { data: isCurrent ? state.data : undefined, problem: isCurrent ? state.problem : undefined, reload };
}
