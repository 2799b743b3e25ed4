import { messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";

export type Listener = (payload: string) => void;

/** Delivers a message. A listener that throws must not end the process and, with it, every call the process holds. */
export function deliver(listener: Listener, payload: string, log: Logger | undefined): void {
  try {
    listener(payload);
  } catch (error) {
    log?.error({ event: "bus_listener_failed", err: messageOf(error) }, "a listener on the bus failed");
  }
}
