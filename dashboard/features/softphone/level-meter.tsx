import { useEffect, useRef, useState } from "react";

/** Speech rarely exceeds this root mean square, which fills the meter. */
const LOUD_LEVEL = 0.25;
/** Above a quiet room's level. */
const HEARD_LEVEL = 0.012;
const HEARD_FOR_MS = 3_000;
const LOOK_EVERY_MS = 250;

interface LevelMeterProps {
  /** Read on every animation frame. */
  readonly level: () => number;
  readonly look?: "calm" | undefined;
}

/** A level as a bar; the text beside it says what it means. */
export function LevelMeter({ level, look }: LevelMeterProps) {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = requestAnimationFrame(function show() {
      // Hearing is logarithmic; the square root spreads quiet levels.
      bar.current?.style.setProperty("--level", Math.sqrt(Math.min(1, level() / LOUD_LEVEL)).toFixed(3));
      frame = requestAnimationFrame(show);
    });
    return () => cancelAnimationFrame(frame);
  }, [level]);
  return (
    <span ref={bar} className={`level-meter ${look === "calm" ? "level-calm" : ""}`} aria-hidden="true" />
  );
}

/** Whether the level was high enough within the last three seconds. */
export function useHeard(level: () => number): boolean {
  const [isHeard, setHeard] = useState(false);
  const lastMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const look = (): void => {
      const now = performance.now();
      if (level() >= HEARD_LEVEL) lastMs.current = now;
      setHeard(now - lastMs.current < HEARD_FOR_MS);
    };
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [level]);
  return isHeard;
}
