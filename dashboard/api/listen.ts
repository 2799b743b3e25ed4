import { EventSourceParserStream } from "eventsource-parser/stream";
import type { z } from "zod";
import type { Session } from "./session.ts";

/** The API sends something at least every 15 s. */
const SILENT_MS = 30_000;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 15_000] as const;

interface Listener {
  readonly session: Session;
  /** Path of a stream of server-sent events. */
  readonly path: string;
  readonly orgId: string;
  readonly signal: AbortSignal;
  /** Called at each (re)connection: events in between were missed. */
  readonly onOpen: () => void;
  readonly onEvent: (name: string | undefined, data: string) => void;
  readonly onLost?: () => void;
}

/** Reads until aborted; reopens a stream that ends or falls silent. */
export async function listen(listener: Listener): Promise<void> {
  let failures = 0;
  const onOpen = (): void => {
    failures = 0;
    listener.onOpen();
  };
  while (!listener.signal.aborted) {
    await read({ ...listener, onOpen }).catch(() => {
      failures += 1;
      if (!listener.signal.aborted) listener.onLost?.();
    });
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, listener.signal);
  }
}

async function read({ session, path, orgId, signal, onOpen, onEvent }: Listener): Promise<void> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENT_MS);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENT_MS);
  };
  try {
    const response = await session.open(path, {
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

/** Parses an event's data; undefined when it does not match the schema. */
export function eventData<T>(schema: z.ZodType<T>, data: string): T | undefined {
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
