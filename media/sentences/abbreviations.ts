/**
 * Words before a full stop that does not end the sentence. English, with the commonest ones of German,
 * Spanish and French. Lower case, without the last stop.
 */

/** Never ends a sentence: something always follows. */
export const NEVER_ENDS = new Set([
  ...["dr", "mr", "mrs", "ms", "mx", "prof", "st", "mt", "gen", "sen", "rep", "gov", "capt", "lt", "col"],
  ...["sgt", "maj", "cmdr", "adm", "rev", "hon", "pres", "messrs", "vs", "cf", "viz", "approx", "eg", "ie"],
  ...["hr", "frl", "bzw", "ca", "ggf", "evtl", "inkl", "zzgl", "sog", "bspw", "vgl"],
  ...["sr", "sra", "srta", "dra", "ud", "uds", "mme", "mlle"],
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
  ...["jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"],
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
]);

/** After a day's number a full stop makes it an ordinal: "am 3. Oktober". */
export const GERMAN_MONTHS = [
  ...["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli"],
  ...["August", "September", "Oktober", "November", "Dezember"],
];
