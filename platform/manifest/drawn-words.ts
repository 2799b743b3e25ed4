/**
 * Controls, and what embeds or overrides a direction: an app's words could pose as somebody else's. Single marks, which
 * Arabic and Hebrew need, are none of it.
 */
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2028\u2029\u2066-\u2069]/u;
/** Something that can be seen; letters that are blank by design are none. */
const VISIBLE = /[^\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Why the dashboard does not draw a text of an app as it is; undefined when it does. */
export function refusalOfWords(text: string): string | undefined {
  if (HIDDEN.test(text)) return "has a line break, a control character or a mark that changes the direction";
  return VISIBLE.test(text) ? undefined : "has nothing that can be seen";
}

/** A text of an app as the dashboard draws it: on one line, in its own direction only. */
export function drawnWords(text: string): string {
  return text.replaceAll(new RegExp(HIDDEN, "gu"), " ").replaceAll(/ {2,}/g, " ").trim();
}
