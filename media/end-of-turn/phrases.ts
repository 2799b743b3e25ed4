/**
 * How turns sound in the supported languages, lower case. All tables apply whatever the call's language: people mix
 * languages, and a misleading word only costs a longer wait.
 */
export interface TurnPhrases {
  /** Last words that something must follow: conjunctions, articles, prepositions, fillers. */
  readonly unfinished: readonly string[];
  /** Endings that only look unfinished. */
  readonly finished: readonly string[];
  /** Whole turns that need nothing more. */
  readonly answers: readonly string[];
  /** First words of a question, for recognizers without punctuation. */
  readonly questions: readonly string[];
  /** Backchannels: "Go on, I am listening." */
  readonly backchannels: readonly string[];
  readonly digits: readonly string[];
  /** Cues that a number, a code or an address follows. */
  readonly numberCues: readonly string[];
}

const list = (words: string): string[] => words.split("|");

const ENGLISH: TurnPhrases = {
  unfinished: list(
    "and|but|or|so|because|if|when|while|although|unless|than|the|a|an|my|your|his|her|our|their|to|of|for|with|in|" +
      "on|at|from|by|about|into|is|are|was|were|am|i|i'm|i'd|i'll|i've|we|he|she|they|um|uh|er|erm|like|well|also|plus|" +
      "let's|would|could|should|can|will|want|need|dot|underscore",
  ),
  finished: list(
    "i think so|i hope so|i guess so|i believe so|come on|go on|hold on|log in|come in|i am|they are|it is|you can|" +
      "i can|i will|i would|as well",
  ),
  answers: list(
    "yes|no|yeah|yep|yup|nope|nah|sure|okay|ok|right|correct|exactly|absolutely|definitely|of course|please|yes please|" +
      "no thanks|no thank you|thanks|thank you|thank you very much|that's right|that's correct|that's all|that's it|" +
      "not really|i don't know|maybe|never mind|hello|hi|hey|bye|goodbye|good bye|stop|wait|help|sounds good|go ahead",
  ),
  questions: list(
    "what|what's|where|where's|when|who|who's|why|how|how's|which|can|could|do|does|did|is|are|will|would|may|should",
  ),
  backchannels: list(
    "uh-huh|uh huh|mm|mmm|mm-hm|mm-hmm|mm hmm|mhm|hmm|hm|aha|ah|oh|okay|ok|right|alright|yeah|yep|i see|got it|" +
      "sure|great|exactly|perfect|cool|nice|wow|fine|good|i understand|makes sense|oh okay|of course",
  ),
  digits: list("zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple"),
  numberCues: list("number|code|pin|phone|account|zip|postcode"),
};

const GERMAN: TurnPhrases = {
  unfinished: list(
    "und|aber|oder|weil|dass|wenn|ob|denn|sondern|der|die|den|dem|ein|eine|einen|einem|einer|mein|meine|meinen|zu|zum|" +
      "zur|für|von|vom|bei|mit|auf|aus|nach|um|ich|ist|sind|möchte|ähm|äh|also|punkt",
  ),
  finished: [],
  answers: list(
    "ja|nein|genau|gerne|natürlich|ja bitte|nein danke|danke|vielen dank|stimmt|richtig|hallo|tschüss|keine ahnung",
  ),
  questions: list("was|wo|wann|wer|warum|wie|welche|welcher|kann|können|haben|gibt"),
  backchannels: list("genau|mhm|aha|ach so|achso|verstehe|alles klar|stimmt|gut|klar|okay"),
  digits: list("null|eins|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun"),
  numberCues: list("nummer|telefonnummer|postleitzahl|kundennummer"),
};

const SPANISH: TurnPhrases = {
  unfinished: list(
    "y|o|pero|porque|que|de|del|el|la|los|las|un|una|para|por|con|en|mi|mis|su|sus|al|yo|quiero|eh|pues|punto|arroba",
  ),
  finished: [],
  answers: list(
    "sí|si|no|claro|vale|bueno|gracias|muchas gracias|no gracias|sí por favor|correcto|exacto|hola|adiós|no sé",
  ),
  questions: list("qué|dónde|cuándo|quién|por qué|cómo|cuál|cuánto|puede|puedo|hay"),
  backchannels: list("ajá|aja|vale|claro|ya|entiendo|exacto|perfecto|muy bien"),
  digits: list("cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve"),
  numberCues: list("número|teléfono|código"),
};

const FRENCH: TurnPhrases = {
  unfinished: list(
    "et|mais|ou|que|si|de|du|des|le|les|une|pour|avec|dans|sur|chez|je|j'ai|mon|ma|mes|est|euh|donc|voudrais|arobase",
  ),
  finished: [],
  answers: list(
    "oui|non|ouais|d'accord|bien sûr|merci|merci beaucoup|non merci|oui s'il vous plaît|exactement|bonjour|au revoir",
  ),
  questions: list("où|quand|qui|pourquoi|comment|quel|quelle|combien|pouvez|puis|avez|est-ce"),
  backchannels: list("ouais|d'accord|hum|ah bon|je vois|exactement|parfait|très bien|je comprends"),
  digits: list("zéro|un|deux|trois|quatre|cinq|sept|huit|neuf"),
  numberCues: list("numéro|téléphone"),
};

const HINDI: TurnPhrases = {
  unfinished: list("और|लेकिन|मगर|क्योंकि|कि|या|तो|अगर|मेरा|मेरी|मेरे|के|का|की|को|से|में|पर|लिए|मतलब"),
  finished: [],
  answers: list("हाँ|हां|नहीं|जी|जी हाँ|जी नहीं|ठीक है|धन्यवाद|शुक्रिया|बिल्कुल|सही|नमस्ते"),
  questions: list("क्या|कहाँ|कब|कौन|क्यों|कैसे|कितना|कितने"),
  backchannels: list("हम्म|अच्छा|ठीक है"),
  digits: list("शून्य|एक|दो|तीन|चार|पाँच|पांच|छह|सात|आठ|नौ"),
  numberCues: list("नंबर|फ़ोन|फोन"),
};

const ITALIAN: TurnPhrases = {
  unfinished: list(
    "e|ed|ma|o|però|perché|che|di|del|della|dei|il|lo|la|gli|le|un|uno|una|per|con|in|su|da|al|alla|mio|mia|miei|suo|sua|" +
      "io|sono|è|vorrei|voglio|ehm|allora|quindi|se|quando|chiocciola|punto",
  ),
  finished: [],
  answers: list(
    "sì|si|no|certo|va bene|grazie|grazie mille|no grazie|sì grazie|esatto|giusto|ciao|buongiorno|arrivederci|non lo so",
  ),
  questions: list("cosa|dove|dov'è|quando|chi|perché|come|quale|quanto|quanti|può|posso|c'è"),
  backchannels: list("certo|capisco|va bene|esatto|perfetto|d'accordo"),
  digits: list("zero|uno|due|tre|quattro|cinque|sei|sette|otto|nove"),
  numberCues: list("numero|telefono|codice"),
};

/** Languages of which only backchannels are known so far. */
const OTHERS: TurnPhrases = {
  unfinished: [],
  finished: [],
  answers: [],
  questions: [],
  backchannels: list(
    "うん|ええ|そうですね|なるほど|わかりました|嗯|嗯嗯|好的|好|对|明白|明白了|응|네네|그렇군요|" +
      "угу|ага|понятно|ясно|хорошо|rozumiem|jasne|dobrze|aha|entendi|tá bom|snap ik|oké",
  ),
  digits: [],
  numberCues: [],
};

/** Languages with word lists, by BCP 47 language. */
const LANGUAGES = {
  en: ENGLISH,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
  it: ITALIAN,
  hi: HINDI,
} as const satisfies Record<string, TurnPhrases>;

export type KnownLanguage = keyof typeof LANGUAGES;

/** The phrases of one kind in all languages. */
export function phrasesOf(sort: keyof TurnPhrases): ReadonlySet<string> {
  return new Set([...Object.values(LANGUAGES), OTHERS].flatMap((language) => language[sort]));
}

/** Function words that tell one language from another. */
export function tellingWords(): ReadonlyMap<KnownLanguage, ReadonlySet<string>> {
  const entries = Object.entries(LANGUAGES) as [KnownLanguage, TurnPhrases][];
  return new Map(
    entries.map(([language, { unfinished, answers, questions, digits }]) => [
      language,
      new Set([...unfinished, ...answers, ...questions, ...digits].flatMap((phrase) => phrase.split(" "))),
    ]),
  );
}
