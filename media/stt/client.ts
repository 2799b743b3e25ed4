import type { SttVendor } from "./port.ts";

/** The absence of a recognizer: the caller's app recognizes or types, and sends `text` messages. */
export function createClientStt(): SttVendor {
  return {
    name: "client",
    open: ({ onEvent }) => ({
      feed: "none",
      hasInterims: false,
      answersWithinMs: undefined,
      write: () => undefined,
      finalize: () => onEvent({ type: "final", text: "", fromFinalize: true }),
      close: () => undefined,
    }),
  };
}
