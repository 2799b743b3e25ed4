const ATTRIBUTE = String.raw`\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s<>"'/]+)`;
const TAG = new RegExp(String.raw`^<(\/?)([a-z][\w-]*)(?:${ATTRIBUTE})*\s*\/?>`, "i");
const OPEN_ATTRIBUTE = String.raw`\s+[\w:.-]*\s*(?:=\s*(?:"[^"<>]*|'[^'<>]*|[^\s<>"'/]*))?`;
const OPEN_TAG = new RegExp(
  String.raw`^<\/?(?:[a-z][\w-]*(?:${ATTRIBUTE})*(?:\s*\/?|${OPEN_ATTRIBUTE}))?$`,
  "i",
);
const ENTITY = /^&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,6}));/i;
const OPEN_ENTITY = /^&(?:#\d{0,6}|#x[\da-f]{0,5}|[a-z]{0,6})$/i;
const SCHEME = /^https?:\/\//i;
const OPEN_SCHEME = /^h(?:t(?:t(?:p(?:s?(?::\/?)?)?)?)?)?$/i;
/** Possible first characters of a tag, an entity or an address. */
const START = /[<&]|h(?=t|$)/i;

/** A longer tag counts as text. */
const MAX_TAG_CHARS = 300;
/** Characters kept of a thought, so that its end is found even if two tokens split it. */
const THOUGHT_TAIL_CHARS = 24;
const THOUGHTS = new Set(["think", "thinking", "reasoning"]);
const THOUGHT_END = /<\/(?:think|thinking|reasoning)\s*>/i;
/** Tags that separate words. */
const SPACING = new Set(["br", "p", "div", "li", "ul", "ol", "tr", "td", "th", "break", "hr"]);
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
};

/**
 * Removes what no voice should read from streamed text, wherever tokens cut it: tags (their words stay, a model's
 * thoughts do not), entities, and the `https://` of addresses. The same text gives the same result, whatever the
 * tokens.
 */
export class TagFilter {
  #held = "";
  #isThought = false;

  /** Takes the next token. Holds back what may be the start of a tag, an entity or an address until that is clear. */
  push(token: string): string {
    this.#held += token;
    return this.#scan("open");
  }

  /** Returns the rest, because nothing more comes. */
  flush(): string {
    return this.#scan("complete");
  }

  /** Text held back, without thoughts. */
  get pending(): string {
    return this.#isThought ? "" : this.#held;
  }

  #scan(stream: "open" | "complete"): string {
    let said = "";
    let text = this.#held;
    while (text !== "") {
      if (this.#isThought) {
        const end = THOUGHT_END.exec(text);
        this.#isThought = end === null;
        text = end === null ? text.slice(-THOUGHT_TAIL_CHARS) : text.slice(end.index + end[0].length);
        if (end === null) break;
        continue;
      }
      const at = text.search(START);
      said += at < 0 ? text : text.slice(0, at);
      text = at < 0 ? "" : text.slice(at);
      const found = this.#markAt(text);
      if (found === undefined && stream === "open" && isOpen(text)) break;
      said += found?.said ?? text.slice(0, 1);
      text = text.slice(found?.length ?? 1);
    }
    this.#held = text;
    return said;
  }

  #markAt(text: string): { readonly length: number; readonly said: string } | undefined {
    const scheme = SCHEME.exec(text);
    if (scheme) return { length: scheme[0].length, said: "" };
    const entity = ENTITY.exec(text);
    if (entity) return { length: entity[0].length, said: entityOf(entity) };
    const tag = TAG.exec(text.slice(0, MAX_TAG_CHARS));
    if (!tag) return undefined;
    const name = (tag[2] as string).toLowerCase();
    this.#isThought = THOUGHTS.has(name) && tag[1] === "" && !tag[0].endsWith("/>");
    return { length: tag[0].length, said: SPACING.has(name) ? " " : "" };
  }
}

function isOpen(text: string): boolean {
  if (text.length >= MAX_TAG_CHARS) return false;
  return OPEN_TAG.test(text) || OPEN_ENTITY.test(text) || OPEN_SCHEME.test(text);
}

function entityOf([whole, decimal, hex, name]: RegExpExecArray): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  const isChar = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isChar ? String.fromCodePoint(code) : " ";
}
