/**
 * What the recognized words suggest when no person says them. `hold`: a call-screening assistant asks for patience; a
 * person may say that, too.
 */
export type Greeting = "voicemail" | "ivr" | "screening" | "hold";

/** English, German, French and Spanish, as recorded by networks, phones and people. */
const VOICEMAIL = [
  /\bleave (?:me |us )?(?:a |your )?(?:short |brief )?(?:message|name and number)\b/,
  /\bafter the (?:beep|tone|signal)\b/,
  /\b(?:you(?:'ve| have) reached|this is) the (?:voice ?mail|mail ?box|answering machine)\b/,
  /\bvoice ?mail(?: ?box)? of\b/,
  /\bis not available(?: right now| to take your call| at the moment)?\b/,
  /\b(?:cannot|can't|can not|unable to) (?:come to|take|answer) (?:the|your) (?:phone|call)\b/,
  /\bmail ?box is full\b/,
  /\bat the tone\b/,
  /\bnach dem (?:signal|piep|ton)/,
  /\b(?:mailbox|anrufbeantworter) von\b/,
  /\bhinterlassen sie (?:uns |mir )?(?:bitte )?(?:eine|ihre) nachricht\b/,
  /\b(?:derzeit|momentan|zurzeit) nicht erreichbar\b/,
  /\b(?:après|apres) le (?:bip|signal)/,
  /\blaissez(?:-moi|-nous)? (?:un|votre) message\b/,
  /\b(?:messagerie|boîte vocale) (?:vocale )?de\b/,
  /\b(?:después|despues) (?:del tono|de la señal)/,
  /\bdeje (?:un|su) mensaje\b/,
  /\bbuz[oó]n de voz\b/,
];
const IVR = [
  /\bpress (?:\d|one|two|three|four|five|six|seven|eight|nine|zero|star|pound)\b/,
  /\bfor [a-z ]{2,40},? press\b/,
  /\bthank you for calling\b.*\b(?:menu|options|press)\b/,
  /\byour call (?:may|will) be (?:recorded|monitored)\b.*\bpress\b/,
  /\bdrücken sie (?:bitte )?(?:die )?(?:\d|eins|zwei|drei|vier|fünf|null)\b/,
  /\b(?:appuyez|tapez) (?:sur )?(?:le )?(?:\d|un|deux|trois|quatre|cinq)\b/,
  /\b(?:pulse|marque|oprima) (?:el )?(?:\d|uno|dos|tres|cuatro|cinco|cero)\b/,
];
/** As iOS ("record your name and reason for calling") and Google's assistant ("say your name and why") ask. */
const SCREENING = [
  /\b(?:state|say|record|give) your name\b/,
  /\bwho is (?:calling|this),? (?:please )?(?:and )?(?:why|what)\b/,
  /\bcall (?:screening|assistant)\b/,
  /\bscreening service\b/,
  /\bwhy you(?:'re| are) calling\b/,
  /\breason for (?:your call|calling)\b/,
  /\b(?:nennen|sagen) sie (?:bitte )?ihren namen\b/,
  /\bgrund (?:ihres|für ihren) anruf/,
  /\b(?:dites|indiquez|enregistrez) votre nom\b/,
  /\b(?:motif|raison) de votre appel\b/,
  /\bdiga su nombre\b/,
  /\bmotivo de (?:su|la) llamada\b/,
];
const HOLD = [
  /\b(?:stay|remain) on the line\b/,
  /\bplease (?:hold|wait)\b/,
  /\b(?:one|just a) (?:moment|second)\b/,
  /\bhang on\b/,
  /\bsee if (?:this person|they|he|she) (?:is|are|can)\b/,
  /\b(?:connecting|connect) (?:you|your call)\b/,
  /\bgo ahead\b/,
  /\b(?:bleiben sie (?:bitte )?(?:in|an) der leitung|einen moment|bitte warten)\b/,
  /\b(?:ne quittez pas|un instant|veuillez patienter)\b/,
  /\b(?:no cuelgue|un momento|espere)\b/,
];

/** Returns undefined for words a person may well have said. Checks screening first: it asks for a message too. */
export function greetingIn(text: string): Greeting | undefined {
  const said = text.toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ");
  const sounds = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(said));
  if (sounds(SCREENING)) return "screening";
  if (sounds(VOICEMAIL)) return "voicemail";
  if (sounds(IVR)) return "ivr";
  return sounds(HOLD) ? "hold" : undefined;
}
