/** What the first words from a phone sound like when it is no person who says them. */
export type Greeting = "voicemail" | "ivr" | "screening";

const VOICEMAIL = [
  /\bleave (?:me |us )?(?:a |your )?(?:short |brief )?(?:message|name and number)\b/,
  /\bafter the (?:beep|tone|signal)\b/,
  /\b(?:you(?:'ve| have) reached|this is) the (?:voice ?mail|mail ?box|answering machine)\b/,
  /\bvoice ?mail(?: ?box)? of\b/,
  /\bis not available(?: right now| to take your call| at the moment)?\b/,
  /\b(?:cannot|can't|can not|unable to) (?:come to|take|answer) (?:the|your) (?:phone|call)\b/,
  /\bmail ?box is full\b/,
  /\bat the tone\b/,
];
const IVR = [
  /\bpress (?:\d|one|two|three|four|five|six|seven|eight|nine|zero|star|pound)\b/,
  /\bfor [a-z ]{2,40},? press\b/,
  /\bthank you for calling\b.*\b(?:menu|options|press)\b/,
  /\byour call (?:may|will) be (?:recorded|monitored)\b.*\bpress\b/,
];
const SCREENING = [
  /\b(?:state|say|record) your name\b/,
  /\bwho is (?:calling|this),? (?:please )?(?:and )?(?:why|what)\b/,
  /\bcall (?:screening|assistant)\b/,
  /\bwhy you(?:'re| are) calling\b/,
];

/** Undefined for what a person may well have said. Screening goes first: it asks for a message too. */
export function greetingIn(text: string): Greeting | undefined {
  const said = text.toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ");
  const sounds = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(said));
  if (sounds(SCREENING)) return "screening";
  if (sounds(VOICEMAIL)) return "voicemail";
  if (sounds(IVR)) return "ivr";
  return undefined;
}
