import { z } from "zod";
import { MAX_CRASH_CHARS } from "../sdk/wire.ts";

const WINDOW_MS = 1_000;
/** Messages of any kind; a page at 120 frames a second that asks for ten things per frame stays below. */
const MESSAGES_A_WINDOW = 2_000;

const id = z.int().min(1);
const crashText = z.string().transform((text) => text.slice(0, MAX_CRASH_CHARS));

/** Messages a frame may send. The method's own schemas check arguments later. */
export const fromFrameSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("request"),
    id,
    method: z.string().max(64),
    params: z.custom<Readonly<Record<string, unknown>>>(isPlain),
    bytes: z.instanceof(ArrayBuffer).optional(),
  }),
  z.strictObject({ kind: z.literal("cancel"), id }),
  // Any height is valid; the page decides how high the frame gets.
  z.strictObject({ kind: z.literal("height"), px: z.number().min(0) }),
  z.strictObject({ kind: z.literal("crash"), message: crashText, stack: crashText }),
  z.strictObject({ kind: z.literal("mounted") }),
  z.strictObject({ kind: z.literal("alive") }),
  z.strictObject({ kind: z.literal("rebuilt") }),
]);

/** Recognizes an otherwise invalid message as a call. */
export const callIdSchema = z.object({ kind: z.literal("request"), id });

function isPlain(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Counts messages, so that a frame that never stops sending cannot block the page. */
export class Flood {
  #sinceMs = performance.now();
  #count = 0;

  isWithin(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs > WINDOW_MS) {
      this.#sinceMs = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= MESSAGES_A_WINDOW;
  }
}
