import { incomingCallEvents, type RingingCall } from "@parley/shared/contracts/softphones.ts";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { useCallback, useEffect, useState } from "react";
import type { z } from "zod";
import type { Session } from "../../api/session.ts";

const PATH = "/api/me/incoming-calls";
/** The API says something every 15 s. */
const SILENT_MS = 30_000;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 15_000] as const;

export interface Incoming {
  /** Ringing now, the oldest first. */
  readonly calls: readonly RingingCall[];
  /** `lost`: a call would not ring here. */
  readonly state: "opening" | "open" | "lost";
  /** Not shown any more here, before the API says so. */
  readonly forget: (sessionId: string) => void;
}

interface Handlers {
  readonly onOpen: () => void;
  readonly onEvent: (name: string | undefined, data: string) => void;
}

/** Calls that ring for the member who is signed in; `session` undefined: they may answer none. */
export function useIncoming(session: Session | undefined, orgId: string): Incoming {
  const [calls, setCalls] = useState<readonly RingingCall[]>([]);
  const [state, setState] = useState<Incoming["state"]>("opening");
  const forget = useCallback(
    (sessionId: string) => setCalls((now) => now.filter((call) => call.sessionId !== sessionId)),
    [],
  );
  useEffect(() => {
    if (session === undefined) return;
    const stop = new AbortController();
    const handlers: Handlers = {
      // What rang before and rings still is told again.
      onOpen: () => {
        setState("open");
        setCalls([]);
      },
      onEvent: (name, data) => {
        const ringing = name === "ringing" ? parsed(incomingCallEvents.ringing, data) : undefined;
        const gone = name === "gone" ? parsed(incomingCallEvents.gone, data) : undefined;
        if (ringing) {
          setCalls((now) => [...now.filter(({ sessionId }) => sessionId !== ringing.sessionId), ringing]);
        }
        if (gone) forget(gone.sessionId);
      },
    };
    void listen({ session, orgId, signal: stop.signal }, handlers, () => setState("lost"));
    return () => stop.abort();
  }, [session, orgId, forget]);
  return { calls, state, forget };
}

interface Listener {
  readonly session: Session;
  readonly orgId: string;
  readonly signal: AbortSignal;
}

/** Reads until it is told to stop; a stream that ends or falls silent is opened again. */
async function listen(listener: Listener, handlers: Handlers, onLost: () => void): Promise<void> {
  let failures = 0;
  const onOpen = (): void => {
    failures = 0;
    handlers.onOpen();
  };
  while (!listener.signal.aborted) {
    await read(listener, { ...handlers, onOpen }).catch(() => {
      failures += 1;
      if (!listener.signal.aborted) onLost();
    });
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, listener.signal);
  }
}

async function read({ session, orgId, signal }: Listener, { onOpen, onEvent }: Handlers): Promise<void> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENT_MS);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENT_MS);
  };
  try {
    const response = await session.open(PATH, {
      method: "GET",
      orgId,
      signal: AbortSignal.any([signal, silent.signal]),
    });
    onOpen();
    const events = response.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onComment: heard }));
    const reader = events?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      heard();
      onEvent(next.value.event, next.value.data);
    }
  } finally {
    clearTimeout(timer);
  }
}

function parsed<T>(schema: z.ZodType<T>, data: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
