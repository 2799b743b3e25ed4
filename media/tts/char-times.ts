/** By `endSample` of a clause's audio, the first `endChar` characters of its text were said. */
export interface CharTime {
  readonly endChar: number;
  readonly endSample: number;
}

/** Receives the times at which a clause's characters are said, from vendors that know them. */
export interface CharTimes {
  /** Called in order, and never past the end of the clause's audio. */
  said(time: CharTime): void;
  /** The times of this clause are wrong; its words are placed by the rate of speech instead. */
  unusable(why: string): void;
}
