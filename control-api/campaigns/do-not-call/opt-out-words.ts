import { plainWords } from "../../messaging/opt-out/words.ts";

/** Phrases people say to a caller. `not` is part of the match: "call me" alone asks for the opposite. */
const PHRASES = [
  /\b(do not|don t|never|please stop|stop) (ever )?(call|calling|phone|phoning|contact|contacting)( me| us| this number| here)?( again| anymore| any more)?\b/u,
  /\b(take|remove) (me|us|my number|this number|our number) (off|from)( of)? (your|the|this|all)( \w+)? lists?\b/u,
  /\bput (me|us|my number|this number) on (your|the) do not call list\b/u,
  /\brufen sie (mich|uns|hier) (bitte )?(nicht|nie) (mehr|wieder) an\b/u,
  /\bnicht mehr anrufen\b/u,
  /\b(no me llame|no me llamen|no vuelva a llamar|ne m appelez plus|ne me rappelez plus)\b/u,
];
/** "Do not call before nine" is not a request never to be called. */
const CONDITIONS =
  /^ (before|after|until|till|on|at|in the|during|today|tomorrow|now|that|it|him|her|them|the police)\b/u;

/** Whether a spoken utterance asks not to be called again. */
export function isSpokenOptOut(text: string): boolean {
  const words = plainWords(text);
  return PHRASES.some((phrase) => {
    const found = phrase.exec(words);
    return found !== null && !CONDITIONS.test(words.slice(found.index + found[0].length));
  });
}
