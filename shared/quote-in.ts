/** Characters that people and models put around a quote. */
const AROUND = /^[\s"'“”‘’«»…]+|[\s"'“”‘’«»…]+$/gu;

type Conversation = readonly { readonly text: string }[];

/**
 * The verbatim part of an utterance that a quote refers to; undefined when nobody said it. Letter case, white space,
 * and the kind of quotation marks may differ; the result is the transcript's own text.
 */
export function quoteIn(conversation: Conversation, quote: string): string | undefined {
  return quotesIn(conversation)(quote);
}

/** `quoteIn` for many quotes of one conversation, each of whose utterances is read once at most. */
export function quotesIn(conversation: Conversation): (quote: string) => string | undefined {
  const read = new Map<number, Folded>();
  const foldedAt = (nr: number, text: string): Folded => {
    const known = read.get(nr) ?? folded(text);
    read.set(nr, known);
    return known;
  };
  return (quote) => {
    const wanted = folded(quote.replaceAll(AROUND, ""));
    if (wanted.text === "") return undefined;
    for (const [nr, { text }] of conversation.entries()) {
      const said = foldedAt(nr, text);
      const at = said.text.indexOf(wanted.text);
      if (at < 0) continue;
      const start = said.from[at] ?? 0;
      const end = said.from[at + wanted.text.length] ?? text.length;
      return text.slice(start, end).trim();
    }
    return undefined;
  };
}

interface Folded {
  readonly text: string;
  readonly from: readonly number[];
}

/** Each character in its simplest form, with its original position. */
function folded(text: string): Folded {
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
