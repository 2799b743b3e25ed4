import type { Conversation } from "./conversation.ts";

/** What people and models put around a quote. */
const AROUND = /^[\s"'“”‘’«»…]+|[\s"'“”‘’«»…]+$/gu;

/**
 * The verbatim part of one utterance that a quote means; undefined when nobody said that. Letter case, white space and the kind
 * of quotation marks may differ, what is given back is what stands in the transcript.
 */
export function quoteIn(conversation: Conversation, quote: string): string | undefined {
  const wanted = folded(quote.replaceAll(AROUND, ""));
  if (wanted.text === "") return undefined;
  for (const { text } of conversation) {
    const said = folded(text);
    const at = said.text.indexOf(wanted.text);
    if (at < 0) continue;
    const start = said.from[at] ?? 0;
    const end = said.from[at + wanted.text.length] ?? text.length;
    return text.slice(start, end).trim();
  }
  return undefined;
}

/** Each character in its plainest form, and where it stood. */
function folded(text: string): { readonly text: string; readonly from: readonly number[] } {
  let plain = "";
  const from: number[] = [];
  for (const { 0: character, index } of text.matchAll(/\s+|[\s\S]/gu)) {
    const form = plainOf(character);
    plain += form;
    for (let i = 0; i < form.length; i++) from.push(index);
  }
  return { text: plain, from };
}

function plainOf(character: string): string {
  if (/^\s+$/u.test(character)) return " ";
  if (/[‘’‛′]/u.test(character)) return "'";
  if (/[“”„″«»]/u.test(character)) return '"';
  return character.toLowerCase();
}
