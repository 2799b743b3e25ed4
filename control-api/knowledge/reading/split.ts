import { fromMarkdown } from "mdast-util-from-markdown";
import { toString as textOf } from "mdast-util-to-string";

/** A part of a document, the unit of search. */
export interface DocumentPart {
  /** The headings above the part, outermost first, joined by " › ". */
  readonly heading: string;
  readonly text: string;
}

/** About 250 tokens: long enough for an answer, short enough to give a model five. */
const TARGET_CHARS = 1_000;
const MAX_CHARS = 1_600;
/** Headings are short; longer ones are paragraphs marked up as headings. */
const MAX_HEADING_CHARS = 200;

/**
 * Splits Markdown along its structure: never across headings, and between paragraphs, list items and table rows rather
 * than sentences. Small neighbors under one heading stay together.
 */
export function splitMarkdown(markdown: string): DocumentPart[] {
  const headings: string[] = [];
  const parts: DocumentPart[] = [];
  let pending: string[] = [];
  const flush = (): void => {
    const text = pending.join("\n");
    const heading = headings.filter((each) => each !== undefined && each !== "").join(" › ");
    if (text.trim() !== "") parts.push({ heading: heading.slice(0, MAX_HEADING_CHARS), text });
    pending = [];
  };
  for (const block of blocksOf(markdown)) {
    if (block.depth !== undefined) {
      flush();
      headings.length = Math.max(0, block.depth - 1);
      headings[block.depth - 1] = block.text;
      continue;
    }
    for (const piece of piecesOf(block.text)) {
      const length = pending.reduce((sum, each) => sum + each.length + 1, 0);
      if (length > 0 && length + piece.length > TARGET_CHARS) flush();
      pending.push(piece);
    }
  }
  flush();
  return parts;
}

interface Block {
  readonly text: string;
  /** Level of a heading: 1 to 6. */
  readonly depth?: number;
}

function blocksOf(markdown: string): Block[] {
  return fromMarkdown(markdown).children.flatMap((node): Block[] => {
    if (node.type === "heading") return [{ text: textOf(node).trim(), depth: node.depth }];
    if (node.type === "list") return node.children.map((item) => ({ text: `- ${spaced(item.children)}` }));
    if (node.type === "html") return [];
    if (node.type === "blockquote") return [{ text: spaced(node.children) }];
    return [{ text: textOf(node).trim() }];
  });
}

function spaced(nodes: readonly Parameters<typeof textOf>[0][]): string {
  return nodes.map((node) => textOf(node).trim()).join(" ");
}

/** Splits a text into bounded pieces: between sentences, or between words of an overlong sentence. */
function piecesOf(text: string): string[] {
  if (text.length <= MAX_CHARS) return [text];
  const sentences = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)].flatMap(
    ({ segment }) => (segment.length <= MAX_CHARS ? [segment] : inWords(segment)),
  );
  const pieces: string[] = [];
  for (const sentence of sentences) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + sentence.length <= TARGET_CHARS) {
      pieces[pieces.length - 1] = last + sentence;
    } else pieces.push(sentence);
  }
  return pieces.map((piece) => piece.trim());
}

function inWords(text: string): string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const space = rest.lastIndexOf(" ", TARGET_CHARS);
    const cut = space > 0 ? space + 1 : TARGET_CHARS;
    const end = rest.length <= TARGET_CHARS ? rest.length : cut;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return pieces;
}
