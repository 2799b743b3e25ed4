/** What a contact wants of further messages. */
export type Wish = "out" | "in";

/** Whole-message keywords, as people know them from SMS and from the buttons of marketing templates. */
const OUT =
  /^(stop|stopp|stopall|stop all|stop promotions|stop marketing|unsubscribe|opt out|optout|do not contact me|arret|baja|abmelden|austragen|keine nachrichten mehr)$/u;
const IN = /^(start|unstop|subscribe|opt in|optin|alta|anmelden)$/u;

/** The wish that a whole message is; undefined for any other text. */
export function wishIn(text: string): Wish | undefined {
  const words = plainWords(text);
  if (OUT.test(words)) return "out";
  return IN.test(words) ? "in" : undefined;
}

/** Strips punctuation and symbols, which recognizers and people write differently. */
export function plainWords(text: string): string {
  const bare = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return bare.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}
