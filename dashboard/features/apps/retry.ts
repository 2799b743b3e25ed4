const RETRY_MS = [500, 1_000, 2_000, 5_000, 15_000] as const;

/** Waits before the next try, longer with each failure; ends early when aborted. */
export function pause(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
