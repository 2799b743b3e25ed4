/**
 * Words before a full stop that does not end the sentence: English, plus the commonest ones of German, Spanish, French,
 * Italian, Dutch, Portuguese, Polish, Russian and Hindi. Lower case, without the last stop.
 */

/** Never ends a sentence: something always follows. */
export const NEVER_ENDS = new Set([
  ...["dr", "mr", "mrs", "ms", "mx", "prof", "st", "mt", "gen", "sen", "rep", "gov", "capt", "lt", "col"],
  ...["sgt", "maj", "cmdr", "adm", "rev", "hon", "pres", "messrs", "vs", "cf", "viz", "approx", "eg", "ie"],
  ...["hr", "frl", "bzw", "ca", "ggf", "evtl", "inkl", "zzgl", "sog", "bspw", "vgl"],
  ...["sr", "sra", "srta", "dra", "ud", "uds", "mme", "mlle"],
  ...["av", "avda", "lic", "ing", "arq", "ee", "exmo", "exma"],
  ...["sig", "sigg", "dott", "avv", "geom", "rag", "spett", "dhr", "mevr", "mw", "drs", "bijv"],
  ...["ul", "al", "tj", "tzn", "np", "inż", "mgr", "ул", "им", "просп", "डॉ", "कु"],
]);

/** Does not end a sentence before a number: "No. 5" against "No. I mean it." */
export const NUMBERED = new Set([
  ...[
    "no",
    "nos",
    "nr",
    "nro",
    "núm",
    "num",
    "p",
    "pp",
    "vol",
    "ch",
    "sec",
    "fig",
    "art",
    "eq",
    "ext",
    "tel",
  ],
  ...["rs", "रु"],
]);

/** Ends a sentence only before a capital letter: "at 5 p.m. today" against "at 5 p.m. Then". */
export const MAY_END = new Set([
  ...[
    "etc",
    "inc",
    "ltd",
    "co",
    "corp",
    "jr",
    "bros",
    "dept",
    "est",
    "ave",
    "blvd",
    "rd",
    "usw",
    "a.m",
    "p.m",
  ],
  ...["jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"],
  ...["ph.d", "med", "mwst", "uu", "hab", "тыс", "млн", "млрд", "руб", "коп"],
]);

/** Units that follow this rule after a number: "5 ft. 10 in. tall" against "Come in." */
export const UNITS = new Set([
  ...["ft", "in", "yd", "mi", "mg", "kg", "lb", "lbs", "oz", "ml", "cm", "mm", "km", "sq", "hrs", "min"],
]);

/** End a sentence only before a word that begins one: "in the U.S. How" against "the U.S. Senate". */
export const SENTENCE_STARTERS = new Set([
  ...["How", "What", "When", "Where", "Why", "Who", "Which", "Both", "The", "This", "That", "These", "Those"],
  ...["It", "He", "She", "We", "They", "You", "I", "My", "Your", "Our", "Their", "His", "Her", "Its", "Mr"],
  ...["But", "And", "So", "Then", "There", "Here", "Now", "If", "Is", "Are", "Do", "Does", "Did", "Can"],
  ...["Could", "Would", "Should", "Have", "Has", "Yes", "Please", "Let", "Thanks"],
]);

/** Titles that follow an hour within its sentence: "At 5 a.m. Mr. Smith went". */
export const TITLES = new Set(["Mr", "Mrs", "Ms", "Dr", "Prof"]);

/** Names that contain an exclamation mark. */
export const EXCLAIMED_NAMES = new Set(["yahoo", "jeopardy", "joomla"]);

/** After a number a full stop makes it an ordinal: "am 3. Oktober", "im 20. Jahrhundert". */
export const GERMAN_ORDERED = [
  ...["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli"],
  ...["August", "September", "Oktober", "November", "Dezember"],
  ...[
    "Jahrhundert",
    "Jahrhunderts",
    "Stock",
    "Etage",
    "Geburtstag",
    "Mal",
    "Platz",
    "Tag",
    "Woche",
    "Klasse",
  ],
  ...["Kapitel", "Quartal", "Reihe", "Stunde", "Lebensjahr"],
];
