import { useEffect, useRef, useState } from "react";
import { reasonOf } from "../../api/api-error.ts";

/** Name of the window for signing in at a vendor; it ends on a Parley page, which closes it. */
export const CONSENT_WINDOW = "parley-consent";
const SHAPE = "popup,width=600,height=760";
const POLL_MS = 1_500;
/** How long a started consent stays valid. */
const GIVEN_UP_MS = 600_000;

export interface Consent {
  readonly state: "idle" | "waiting";
  /** Address to open by hand, after the browser blocked the window. */
  readonly address: string | undefined;
  readonly problem: string | undefined;
  /** Call it in a click handler: browsers block the window otherwise. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
}

interface ConsentSteps {
  /** Returns the sign-in address. */
  readonly begin: () => Promise<string>;
  /** Polled until the sign-in is done. Throwing ends the polling. */
  readonly isDone: () => Promise<boolean>;
  readonly onDone: () => Promise<void>;
}

/** Signs a person in at a vendor in a separate window, and polls until the API reports completion. */
export function useConsent({ begin, isDone, onDone }: ConsentSteps): Consent {
  const [shown, setShown] = useState<Pick<Consent, "state" | "address" | "problem">>(IDLE);
  const running = useRef<AbortController>(undefined);
  const opened = useRef<Window>(null);
  const stop = (): void => {
    running.current?.abort();
    opened.current?.close();
    setShown(IDLE);
  };
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    opened.current = window.open("", CONSENT_WINDOW, SHAPE);
    setShown({ ...IDLE, state: "waiting" });
    try {
      const address = await begin();
      if (signal.aborted) return;
      if (opened.current) opened.current.location.href = address;
      else setShown({ ...IDLE, state: "waiting", address });
      await done(isDone, signal);
      if (signal.aborted) return;
      await onDone();
      setShown(IDLE);
    } catch (error) {
      if (!signal.aborted) setShown({ ...IDLE, problem: error instanceof Late ? LATE : reasonOf(error) });
    }
    opened.current?.close();
  };
  return { ...shown, start, stop };
}

const IDLE = { state: "idle", address: undefined, problem: undefined } as const;
const LATE = "The sign-in was not finished within ten minutes. Start again.";
class Late extends Error {}

async function done(isDone: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const startMs = performance.now();
  while (!signal.aborted) {
    if (await isDone()) return;
    if (performance.now() - startMs > GIVEN_UP_MS) throw new Late();
    await pause(POLL_MS, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
