/** What carriers show of a caller who withholds their number, also within a SIP address (RFC 3323). */
const WORDS =
  /^(?:sips?:)?(?:anonymous|blocked|private|restricted|unavailable|unknown|withheld)(?![a-z0-9])/i;
/** Twilio's: ANONYMOUS, BLOCKED, RESTRICTED, UNAVAILABLE, UNKNOWN, typed on a keypad. */
const KEYPAD = new Set(["+266696687", "+2562533", "+7378742833", "+86282452253", "+8656696"]);

/** Whether a caller's number is shown to nobody, so that it tells nobody who calls. */
export function isWithheld(from: string): boolean {
  const shown = from.trim();
  return shown === "" || WORDS.test(shown) || KEYPAD.has(shown);
}
