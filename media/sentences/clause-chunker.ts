import { countWords } from "../end-of-turn/words.ts";
import { type Boundary, boundaryAt, LOOKAHEAD_CHARS } from "./boundaries.ts";
import { stripMarkup } from "./strip-markup.ts";
import { TagFilter } from "./tag-filter.ts";
import { lastBlank, wordsEnd } from "./words-end.ts";

/** The first chunk leaves at a pause once it has this many characters, or this many words. */
const FIRST_CHUNK_MIN_CHARS = 20;
const FIRST_CHUNK_MIN_WORDS = 2;
/** Sentences that arrive together share a chunk up to this length. */
const MERGED_MAX_CHARS = 60;
/** A sentence without an end is cut here at the latest. */
const MAX_CHUNK_CHARS = 250;

/**
 * Cuts streamed text into pieces worth speaking: whole sentences, except that the first piece leaves at its first
 * pause, so that the voice can begin. Chunks contain no tags, markdown or emoji; text without letters or digits is left
 * out.
 *
 * The cuts depend on the text only and never on its tokens: other tokens yield the same pieces, except that short
 * pieces of one `push` or `flush` may share a chunk.
 */
export class ClauseChunker {
  /** Begins with a line break, because the first line is the start of a line. */
  #text = "\n";
  #isFirst = true;
  readonly #tags = new TagFilter();

  /** Takes the next token. Returns the chunks it completes, often none. */
  push(token: string): string[] {
    this.#text = normalizeSpace(this.#text + this.#tags.push(token));
    return this.#takeChunks("open");
  }

  /** Returns the rest, because nothing more comes. */
  flush(): string[] {
    this.#text = normalizeSpace(this.#text + this.#tags.flush());
    return this.#takeChunks("complete");
  }

  /** Returns the rest, except a word that may still grow, because nothing more comes soon enough. */
  flushWords(): string[] {
    const end = this.#tags.pending === "" ? wordsEnd(this.#text) : lastBlank(this.#text);
    const open = this.#text.slice(end);
    this.#text = this.#text.slice(0, end);
    const chunks = this.#takeChunks("complete");
    this.#text += open;
    return chunks;
  }

  /** Text that was pushed and has not left in a chunk, markdown included. */
  get pending(): string {
    return (this.#text + this.#tags.pending).trim();
  }

  #takeChunks(stream: "open" | "complete"): string[] {
    const chunks: string[] = [];
    let mergeFrom = 0;
    for (;;) {
      const end = this.#nextCut(stream);
      if (end === undefined) return chunks;
      const chunk = stripMarkup(this.#text.slice(0, end));
      this.#text = this.#text.slice(end);
      if (!hasContent(chunk)) continue;
      const last = chunks.at(-1);
      if (
        last !== undefined &&
        chunks.length > mergeFrom &&
        last.length + 1 + chunk.length <= MERGED_MAX_CHARS
      ) {
        chunks[chunks.length - 1] = `${last} ${chunk}`;
        continue;
      }
      chunks.push(chunk);
      // The first chunk stays short, because the caller waits for it.
      if (this.#isFirst) mergeFrom = chunks.length;
      this.#isFirst = false;
    }
  }

  /** End of the next piece; undefined if it cannot be determined yet. */
  #nextCut(stream: "open" | "complete"): number | undefined {
    const isComplete = stream === "complete";
    const text = this.#text;
    if (text.trim() === "") return undefined;
    const isLong = text.length >= MAX_CHUNK_CHARS + LOOKAHEAD_CHARS;
    let lastPause: number | undefined;
    for (let at = 1; at < Math.min(text.length, MAX_CHUNK_CHARS); at++) {
      const boundary = boundaryAt({ text, isComplete }, at);
      if (boundary === "none") continue;
      if (boundary === "unknown") {
        if (isLong) continue;
        return undefined;
      }
      if (boundary.end > MAX_CHUNK_CHARS) break;
      if (this.#leavesAt(boundary)) return boundary.end;
      lastPause = boundary.end;
    }
    if (isLong || (isComplete && text.length > MAX_CHUNK_CHARS)) return lastPause ?? cutAtSpace(text);
    return isComplete ? text.length : undefined;
  }

  #leavesAt({ kind, end }: Boundary): boolean {
    const piece = this.#text.slice(0, end);
    if (!hasContent(piece) || hasOpenLink(piece)) return false;
    if (kind === "sentence") return true;
    if (!this.#isFirst) return false;
    return piece.trim().length >= FIRST_CHUNK_MIN_CHARS || countWords(piece) >= FIRST_CHUNK_MIN_WORDS;
  }
}

/** True if `text` contains anything a voice can say. */
export function hasContent(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** A cut inside the words of a markdown link would leave both halves unreadable. */
function hasOpenLink(piece: string): boolean {
  return piece.lastIndexOf("[") > piece.lastIndexOf("]");
}

/** Normalizes white space to one blank, one line break, or two for a blank line. */
function normalizeSpace(text: string): string {
  return text.replace(/\s+/gu, (space) => {
    const lineBreaks = space.split("\n").length - 1;
    return lineBreaks === 0 ? " " : "\n".repeat(Math.min(2, lineBreaks));
  });
}

/** The last space before the limit, or else the limit, but never inside a surrogate pair. */
function cutAtSpace(text: string): number {
  const space = Math.max(text.lastIndexOf(" ", MAX_CHUNK_CHARS), text.lastIndexOf("\n", MAX_CHUNK_CHARS));
  if (space > 0) return space;
  return /[\uD800-\uDBFF]/.test(text[MAX_CHUNK_CHARS - 1] as string) ? MAX_CHUNK_CHARS - 1 : MAX_CHUNK_CHARS;
}
