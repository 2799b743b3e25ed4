import { setImmediate } from "node:timers/promises";
import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";

/** A spoken or written line as it is stored: masked according to the PII policy. */
export interface Utterance {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** All utterances, in order. */
export type Conversation = readonly Utterance[];

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Counts words in any script. */
function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1;
  return words;
}

/** Whether the conversation has no words at all. */
export function isEmpty(conversation: Conversation): boolean {
  return conversation.every(({ text }) => text.trim() === "");
}

/**
 * How much each side spoke. Everything one side says until the other speaks is one turn. Others come in between the
 * texts: counting the words of a long chat takes seconds.
 */
export async function talkRatioOf(conversation: Conversation): Promise<CallAnalysis["talkRatio"]> {
  const ratio = { agentWords: 0, customerWords: 0, agentTurns: 0, customerTurns: 0 };
  let before: Utterance["role"] | undefined;
  for (const { role, text } of conversation) {
    await setImmediate();
    const words = countWords(text);
    if (words === 0) continue;
    const [wordsOf, turnsOf] =
      role === "assistant"
        ? (["agentWords", "agentTurns"] as const)
        : (["customerWords", "customerTurns"] as const);
    ratio[wordsOf] += words;
    if (role !== before) ratio[turnsOf] += 1;
    before = role;
  }
  return ratio;
}
