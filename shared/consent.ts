/** The caller's answer to a yes-or-no question. */
export type Consent = "yes" | "no" | "unclear";

/** Filler words before an answer. */
const FILLERS =
  /^(?:(?:uh+|um+|hm+|mhm|well|oh|ah|so|and|now|also|tja|ach|äh+|ähm+|na|bueno|pues|bah|eh+|euh+)[\s,.!]+)+/;
/** An answer that begins this way counts, provided that little follows. */
const YES =
  /^(?:yes|yeah|yep|yup|aye|please do|go ahead|go for it|do it|do that|of course|absolutely|definitely|certainly|confirmed?|i confirm|that(?: i|')s (?:right|correct|fine|it)|sounds good|that works|correct|exactly|ja|jawohl|jo|genau|gerne|einverstanden|in ordnung|das passt|passt|stimmt|natürlich|selbstverständlich|mach das|machen sie das|oui|ouais|d'accord|bien sûr|volontiers|allez-y|exactement|sí|claro|vale|de acuerdo|por supuesto|adelante|correcto|sì|certo|va bene|d'accordo|certamente|sim|pode ser|isso|graag|akkoord|prima|tak|dobrze|zgoda|evet|tamam|ano|jasně|はい|네|是|好的|да|хорошо)(?![\p{L}\p{N}'])/u;
/** These words also begin sentences that are no answer, so at most a word or two may follow. */
const WEAK_YES =
  /^(?:ok|okay|sure|alright|all right|fine|good|great|perfect|klar|gut|super|bien|si|bon|bene|okey)(?![\p{L}\p{N}'])/u;
/** Overrides everything else: a caller with a reservation has not agreed. */
const NO =
  /(?<![\p{L}\p{N}])(?:no|nope|nah|not|never|don't|do not|cancel|stop|wait|but|instead|rather|nein|nee|nicht|kein\w*|doch nicht|aber|lieber|warte\w*|non|ne|pas|jamais|mais|plutôt|nunca|pero|mejor no|mai|però|invece|não|mas|niet|geen|maar|nie|ale|hayır|ama|нет|не|но|いいえ|아니\p{L}*|不)(?![\p{L}\p{N}])/u;
const MAX_WORDS = 8;
const MAX_WEAK_WORDS = 3;

/** Reads an answer without a model: the caller's words, not a guess, decide what is done in their name. */
export function consentIn(said: string): Consent {
  const text = said.normalize("NFC").toLowerCase().replaceAll("’", "'").trim().replace(FILLERS, "");
  if (NO.test(text)) return "no";
  const words = text.split(/\s+/).filter((word) => word !== "").length;
  if (text.endsWith("?") || words > MAX_WORDS) return "unclear";
  if (YES.test(text)) return "yes";
  return WEAK_YES.test(text) && words <= MAX_WEAK_WORDS ? "yes" : "unclear";
}
