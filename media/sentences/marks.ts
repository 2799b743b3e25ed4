/** Marks that end a sentence if white space (or a script without spaces) follows. */
export const SPACED_TERMINATORS = ".!?…؟۔．՞՜";

/** Marks that end a sentence whatever follows: Chinese, Japanese, Indic, Ethiopic, Burmese, Khmer, Armenian. */
export const HARD_TERMINATORS = "。！？｡।॥።፧။។։";

/** Marks that belong to the sentence before them, including those of markdown. */
export const CLOSERS = "\"'”’»›)]}」』】）》〉］*_`~";

/** Closers that end quoted or bracketed words inside a longer sentence. */
export const QUOTING_CLOSERS = "\"'”’»›)]」』）";

/** Marks of a pause inside a sentence if white space follows. */
export const SPACED_CLAUSE_MARKS = ",;:،؛";

/** Marks of a pause inside a sentence whatever follows. */
export const HARD_CLAUSE_MARKS = "，、；：—";

/** Marks of a pause if white space is on both sides: a hyphen or dash, unlike "twenty-one" or "5–10". */
export const SPACED_DASHES = "-–";

/** Characters that begin a list item or heading, so that the line before it is a sentence of its own. */
export const LINE_STARTERS = "-*+•‣◦#>|0123456789";
