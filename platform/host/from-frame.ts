import { z } from "zod";
import { MAX_CRASH_CHARS } from "../sdk/wire.ts";

const WINDOW_MS = 1_000;
/** Of any kind; a page that draws at 120 frames a second and asks for ten things in each is below it. */
const MESSAGES_A_WINDOW = 2_000;

const id = z.int().min(1);
const crashText = z.string().transform((text) => text.slice(0, MAX_CRASH_CHARS));

/** What a frame may say. Arguments are looked at later, by the method's own schemas. */
export const fromFrameSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("request"),
    id,
    method: z.string().max(64),
    params: z.custom<Readonly<Record<string, unknown>>>(isPlain),
    bytes: z.instanceof(ArrayBuffer).optional(),
  }),
  z.strictObject({ kind: z.literal("cancel"), id }),
  // Any height may be said; how high a frame is made is the page's business.
  z.strictObject({ kind: z.literal("height"), px: z.number().min(0) }),
  z.strictObject({ kind: z.literal("crash"), message: crashText, stack: crashText }),
  z.strictObject({ kind: z.literal("mounted") }),
  z.strictObject({ kind: z.literal("rebuilt") }),
]);

/** Of what else says that it is a call. */
export const callIdSchema = z.object({ kind: z.literal("request"), id });

function isPlain(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Counts messages: a frame that never stops talking must not keep the page from everything else. */
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
