import type { ItemSentence, ItemToken, WinkMethods } from "wink-nlp";
import type { Conversation, Utterance } from "../conversation.ts";

/** One sentence of an utterance. */
export interface Sentence {
  readonly role: Utterance["role"];
  /** Verbatim from the transcript. */
  readonly text: string;
  /** -1 to 1. */
  readonly sentiment: number;
  readonly words: readonly Word[];
}

interface Word {
  /** Lowercase base form. */
  readonly lemma: string;
  readonly isNoun: boolean;
  readonly isAdjective: boolean;
  readonly isStopWord: boolean;
}

/** Longer utterances are cut: a minute of fast speech has 1,500 characters. */
const MAX_CHARS = 20_000;

/** Every sentence of a conversation, in order. */
export function sentencesOf(conversation: Conversation, language: WinkMethods): Sentence[] {
  return conversation.flatMap(({ role, text }) => {
    const read: Sentence[] = [];
    language
      .readDoc(text.slice(0, MAX_CHARS))
      .sentences()
      .each((sentence: ItemSentence) => {
        const sentiment = Number(sentence.out(language.its.sentiment));
        read.push({ role, text: sentence.out(), sentiment, words: wordsOf(sentence, language) });
      });
    return read;
  });
}

function wordsOf(sentence: ItemSentence, { its }: WinkMethods): Word[] {
  // The declared parameters differ from those it is called with.
  const lemma = its.lemma as unknown as typeof its.normal;
  const words: Word[] = [];
  // Text in brackets is a mask of the PII policy.
  let isMask = false;
  sentence.tokens().each((token: ItemToken) => {
    const said = token.out();
    if (said === "[") isMask = true;
    if (said === "]") isMask = false;
    if (isMask || token.out(its.type) !== "word") return;
    const part = token.out(its.pos);
    words.push({
      lemma: token.out(lemma).toLowerCase(),
      isNoun: part === "NOUN" || part === "PROPN",
      isAdjective: part === "ADJ",
      isStopWord: Boolean(token.out(its.stopWordFlag)),
    });
  });
  return words;
}
