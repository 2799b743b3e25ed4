import { z } from "zod";
import { CALL_EVENTS_STREAM } from "../contracts/call-events.ts";
import type { Streams } from "./bus.ts";

const keyedSchema = z.object({ sessionId: z.string() });

/**
 * Appends an encoded event to the durable stream, in its session's lane: the events of a session keep their order.
 * Rejects when the bus is unavailable.
 */
export function appendCallEvent(streams: Pick<Streams, "append">, payload: string): Promise<void> {
  return streams.append(CALL_EVENTS_STREAM, payload, sessionIdOf(payload));
}

/** Undefined for text that is no event, which whoever reads the stream puts aside. */
function sessionIdOf(payload: string): string | undefined {
  try {
    return keyedSchema.safeParse(JSON.parse(payload)).data?.sessionId;
  } catch {
    return undefined;
  }
}
