import { useEffect, useRef } from "react";

/** Does it again and again while the page is looked at, and once when one comes back to it; never when `everyMs` is undefined. */
export function useRepeat(action: () => Promise<void>, everyMs: number | undefined): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (everyMs === undefined) return;
    const run = (): void => {
      if (document.visibilityState === "visible") void latest.current();
    };
    const timer = setInterval(run, everyMs);
    document.addEventListener("visibilitychange", run);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", run);
    };
  }, [everyMs]);
}
