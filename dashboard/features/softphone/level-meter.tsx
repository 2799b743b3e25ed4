import { useEffect, useRef, useState } from "react";

/** Speech seldom exceeds this root mean square; it fills the meter. */
const LOUD_LEVEL = 0.25;
/** A quiet room stays below. */
const HEARD_LEVEL = 0.012;
const HEARD_FOR_MS = 3_000;
const LOOK_EVERY_MS = 250;

interface LevelMeterProps {
  /** Read on every animation frame. */
  readonly level: () => number;
  readonly look?: "calm" | undefined;
}

/** How loud something is, as a bar; what it means is said in words beside it. */
export function LevelMeter({ level, look }: LevelMeterProps) {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = requestAnimationFrame(function show() {
      // Ears go by ratios: the root spreads what is quiet.
      bar.current?.style.setProperty("--level", Math.sqrt(Math.min(1, level() / LOUD_LEVEL)).toFixed(3));
      frame = requestAnimationFrame(show);
    });
    return () => cancelAnimationFrame(frame);
  }, [level]);
  return (
    <span ref={bar} className={`level-meter ${look === "calm" ? "level-calm" : ""}`} aria-hidden="true" />
  );
}

/** True while something was loud enough in the last three seconds. */
export function useHeard(level: () => number): boolean {
  const [isHeard, setHeard] = useState(false);
  useEffect(() => {
    let lastMs = Number.NEGATIVE_INFINITY;
    const timer = setInterval(() => {
      const now = performance.now();
      if (level() >= HEARD_LEVEL) lastMs = now;
      setHeard(now - lastMs < HEARD_FOR_MS);
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [level]);
  return isHeard;
}
