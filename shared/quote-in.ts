/** Characters that people and models put around a quote. */
const AROUND = /^[\s"'“”‘’«»…]+|[\s"'“”‘’«»…]+$/gu;

/**
 * The verbatim part of an utterance that a quote refers to; undefined when nobody said it. Letter case, white space,
 * and the kind of quotation marks may differ; the result is the transcript's own text.
 */
export function quoteIn(
  conversation: readonly { readonly text: string }[],
  quote: string,
): string | undefined {
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

/** Each character in its simplest form, with its original position. */
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
