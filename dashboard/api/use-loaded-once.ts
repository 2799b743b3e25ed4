import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const LOOK_MS = 50;
/** A list that loads for longer keeps nothing else waiting. */
const LATEST_MS = 3_000;

/** Whether the page has shown what it loads first. What nobody looks for yet starts then, and not before. */
export function useLoadedOnce(): boolean {
  const queries = useQueryClient();
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const startedMs = performance.now();
    const timer = setInterval(() => {
      if (queries.isFetching() > 0 && performance.now() - startedMs < LATEST_MS) return;
      clearInterval(timer);
      setLoaded(true);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [queries]);
  return isLoaded;
}
