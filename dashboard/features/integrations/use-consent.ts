import { useEffect, useRef, useState } from "react";
import { reasonOf } from "../../api/api-error.ts";

/** The window that somebody signs in at a vendor's in; it ends on a page of ours, which closes it. */
export const CONSENT_WINDOW = "parley-consent";
const SHAPE = "popup,width=600,height=760";
const POLL_MS = 1_500;
/** As long as a consent that was begun is good. */
const GIVEN_UP_MS = 600_000;

export interface Consent {
  readonly state: "idle" | "waiting";
  /** Where to go by hand: the browser opened no window. */
  readonly address: string | undefined;
  readonly problem: string | undefined;
  /** In answer to a click: browsers open no window otherwise. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
}

interface ConsentSteps {
  /** Gives the address to sign in at. */
  readonly begin: () => Promise<string>;
  /** Whether it was done; asked again and again. Throws what ends it. */
  readonly isDone: () => Promise<boolean>;
  readonly onDone: () => Promise<void>;
}

/** Signs somebody in at a vendor's, in a window of its own, and watches until the API says that it is done. */
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
