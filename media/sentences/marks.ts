/** Ends a sentence when white space (or a script without spaces) follows. */
export const SPACED_TERMINATORS = ".!?…؟۔．՞՜";

/** Ends a sentence whatever follows: Chinese, Japanese, Indic, Ethiopic, Burmese, Khmer, Armenian. */
export const HARD_TERMINATORS = "。！？｡।॥።፧။។։";

/** Belongs to the sentence before it, markdown's own marks included. */
export const CLOSERS = "\"'”’»›)]}」』】）》〉］*_`~";

/** Of the closers, those that end quoted or bracketed words inside a longer sentence. */
export const QUOTING_CLOSERS = "\"'”’»›)]」』）";

/** A pause inside a sentence when white space follows. */
export const SPACED_CLAUSE_MARKS = ",;:،؛";

/** A pause inside a sentence whatever follows. */
export const HARD_CLAUSE_MARKS = "，、；：—";

/** A pause when white space stands on both sides: a hyphen or a dash, not "twenty-one" or "5–10". */
export const SPACED_DASHES = "-–";

/** Begins a list item or a heading, so that the line before it is a sentence of its own. */
export const LINE_STARTERS = "-*+•‣◦#>|0123456789";
