/** By the end of `endSample` of a clause's audio, the first `endChar` characters of its text were said. */
export interface CharTime {
  readonly endChar: number;
  readonly endSample: number;
}

/** Is told when the characters of a clause are said, by vendors that know it. */
export interface CharTimes {
  /** In order, and never after the end of the clause's audio. */
  said(time: CharTime): void;
  /** What was told of this clause is wrong: its words are to be placed by the rate of speech. */
  unusable(why: string): void;
}
