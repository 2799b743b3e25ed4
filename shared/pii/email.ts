import type { Finder } from "./spans.ts";

/** Every quantifier is bounded, and none is nested in another that could match the same text in two ways. */
const WRITTEN = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}]{2,24}/gu;
const SPOKEN =
  /\b[\p{L}\p{N}_-]{1,40}(?:\s{1,3}(?:dot|underscore|dash)\s{1,3}[\p{L}\p{N}_-]{1,40}){0,4}\s{1,3}at\s{1,3}[\p{L}\p{N}-]{1,40}(?:\s{1,3}(?:dot|point)\s{1,3}[\p{L}]{2,24}){1,4}\b/giu;
const OPEN = /[\p{L}\p{N}._%+'-]{0,64}@[\p{L}\p{N}.-]{0,64}\s*$/u;
const OPEN_SPOKEN = /\b(?:at|dot|underscore)[\s.,]{0,4}$/iu;
/** Length of the text's end that is searched for an incomplete address. */
const TAIL = 200;

/** Finds e-mail addresses, written or spoken as "ada dot king at example dot com". */
export function emails(mask: string): Finder {
  return {
    mask,
    find: (text) =>
      [...text.matchAll(WRITTEN), ...text.matchAll(SPOKEN)].map((match) => ({
        start: match.index,
        end: match.index + match[0].length,
      })),
    openFrom: (text) => {
      const from = Math.max(0, text.length - TAIL);
      const tail = text.slice(from);
      const open = OPEN.exec(tail) ?? OPEN_SPOKEN.exec(tail);
      return open ? from + open.index : text.length;
    },
  };
}
