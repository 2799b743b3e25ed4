/** Whole messages that ask for nothing else, as people know them from text messages. */
const KEYWORDS =
  /^(stop|stopp|stopall|stop all|unsubscribe|opt out|optout|do not contact me|arret|baja|abmelden|austragen|keine nachrichten mehr)$/u;

/** What people say to somebody who calls them. `not` belongs to it: "call me" alone asks for the opposite. */
const PHRASES = [
  /\b(do not|don t|never|please stop|stop) (ever )?(call|calling|phone|phoning|contact|contacting)( me| us| this number| here)?( again| anymore| any more)?\b/u,
  /\b(take|remove) (me|us|my number|this number|our number) (off|from)( of)? (your|the|this|all)( \w+)? lists?\b/u,
  /\bput (me|us|my number|this number) on (your|the) do not call list\b/u,
  /\brufen sie (mich|uns|hier) (bitte )?(nicht|nie) (mehr|wieder) an\b/u,
  /\bnicht mehr anrufen\b/u,
  /\b(no me llame|no me llamen|no vuelva a llamar|ne m appelez plus|ne me rappelez plus)\b/u,
];
/** "Do not call before nine" is no wish to be called never. */
const CONDITIONS =
  /^ (before|after|until|till|on|at|in the|during|today|tomorrow|now|that|it|him|her|them|the police)\b/u;

/** Whether a whole message asks for no more messages. */
export function isOptOutMessage(text: string): boolean {
  return KEYWORDS.test(plain(text));
}

/** Whether somebody on the phone asks not to be called any more. */
export function isSpokenOptOut(text: string): boolean {
  const words = plain(text);
  return PHRASES.some((phrase) => {
    const found = phrase.exec(words);
    return found !== null && !CONDITIONS.test(words.slice(found.index + found[0].length));
  });
}

/** Words without marks and signs, as recognizers write them or people do. */
function plain(text: string): string {
  const bare = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return bare.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}
