import { useEffect, useState } from "react";
import { clockText } from "../calls/call-labels.ts";

/** The call's duration, updated every second. */
export function CallTimer({ sinceMs }: { readonly sinceMs: number }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="phone-timer" role="timer" aria-label="Duration of the call">
      {clockText((nowMs - sinceMs) / 1_000)}
    </span>
  );
}
