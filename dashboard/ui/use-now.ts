import { useSyncExternalStore } from "react";
import { serverNowMs } from "../api/server-clock.ts";

const SECOND_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = serverNowMs();

/** One clock for everything on the page that counts time. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    nowMs = serverNowMs();
    timer = setInterval(() => {
      nowMs = serverNowMs();
      for (const each of [...listeners]) each();
    }, SECOND_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Unix milliseconds by the server's clock, updated every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}
