import { z } from "zod";

/** The status of a tool call (docs/webhooks.md#toolinvoked); `confirmation_*` is an open set. */
export const toolStatusSchema = z.union([
  z.enum(["success", "error", "not_found", "abandoned"]),
  z.templateLiteral(["confirmation_", z.string().regex(/^[a-z0-9_]{1,51}$/)]),
]);
export type ToolStatus = z.infer<typeof toolStatusSchema>;

const SOUNDS_WRONG =
  /err|fail|invalid|denied|refused|reject|time.?out|exception|(?:^|http|status|code)[ _:-]*[45](?:\d\d|xx)(?!\d)/i;

/** Maps a brain's own word to a status: receivers never see an `ok`. A word that reports no failure means success. */
export function toolStatusOf(word: string): ToolStatus {
  const known = toolStatusSchema.safeParse(word);
  if (known.success) return known.data;
  return SOUNDS_WRONG.test(word) ? "error" : "success";
}

/** Accepts any word of up to 64 characters and maps it with `toolStatusOf`. */
export const toolWordSchema = z.codec(z.string().max(64), toolStatusSchema, {
  decode: toolStatusOf,
  encode: (status) => status,
});
