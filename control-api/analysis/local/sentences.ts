import { setImmediate } from "node:timers/promises";
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

/** Of a whole conversation; what is said later is not read. Two hours of fast speech have 180,000. */
const MAX_TOTAL_CHARS = 200_000;

/** The sentences of a conversation, in order. Reading a chat of long texts takes seconds: others come in between. */
export async function sentencesOf(conversation: Conversation, language: WinkMethods): Promise<Sentence[]> {
  const read: Sentence[] = [];
  let left = MAX_TOTAL_CHARS;
  for (const { role, text } of conversation) {
    if (left === 0) break;
    const piece = text.slice(0, Math.min(MAX_CHARS, left));
    left -= piece.length;
    await setImmediate();
    language
      .readDoc(piece)
      .sentences()
      .each((sentence: ItemSentence) => {
        const sentiment = Number(sentence.out(language.its.sentiment));
        read.push({ role, text: sentence.out(), sentiment, words: wordsOf(sentence, language) });
      });
  }
  return read;
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
