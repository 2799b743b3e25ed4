import { countWords } from "../turn/words.ts";
import { type Boundary, boundaryAt, LOOKAHEAD_CHARS } from "./boundaries.ts";
import { stripMarkup } from "./strip-markup.ts";
import { TagFilter } from "./tag-filter.ts";
import { lastBlank, wordsEnd } from "./words-end.ts";

/** The first chunk leaves at a pause when it has this many characters, or this many words. */
const FIRST_CHUNK_MIN_CHARS = 20;
const FIRST_CHUNK_MIN_WORDS = 2;
/** Sentences that arrive together share a chunk up to this length. */
const MERGED_MAX_CHARS = 60;
/** A sentence without an end is cut here at the latest. */
const MAX_CHUNK_CHARS = 250;

/**
 * Cuts streamed text into pieces worth speaking: whole sentences, but the first piece leaves at its first
 * pause, so that the voice can begin. Chunks come without tags, markdown and emoji; what has neither letter
 * nor digit is left out.
 *
 * Where the text is cut depends on the text only, never on how it came in tokens: with other tokens the
 * same pieces come, save that short ones of the same `push` or `flush` may share a chunk.
 */
export class ClauseChunker {
  /** Begins with a line break because the first line is the start of a line. */
  #text = "\n";
  #isFirst = true;
  readonly #tags = new TagFilter();

  /** Takes the next token; returns the chunks it completes, often none. */
  push(token: string): string[] {
    this.#text = normalizeSpace(this.#text + this.#tags.push(token));
    return this.#takeChunks("open");
  }

  /** The rest: nothing more comes. */
  flush(): string[] {
    this.#text = normalizeSpace(this.#text + this.#tags.flush());
    return this.#takeChunks("complete");
  }

  /** The rest but for a word that may go on: nothing more comes soon enough. */
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
      // The first chunk stays short: the caller waits for it.
      if (this.#isFirst) mergeFrom = chunks.length;
      this.#isFirst = false;
    }
  }

  /** Where the next piece ends; undefined when that cannot be told yet. */
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

/** True when a voice has something to say of `text`. */
export function hasContent(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** A cut inside the words of a markdown link would leave both halves unreadable. */
function hasOpenLink(piece: string): boolean {
  return piece.lastIndexOf("[") > piece.lastIndexOf("]");
}

/** White space of any sort becomes one blank, one line break, or two for a blank line. */
function normalizeSpace(text: string): string {
  return text.replace(/\s+/gu, (space) => {
    const lineBreaks = space.split("\n").length - 1;
    return lineBreaks === 0 ? " " : "\n".repeat(Math.min(2, lineBreaks));
  });
}

/** The last space before the limit; without one the limit, but never inside a surrogate pair. */
function cutAtSpace(text: string): number {
  const space = Math.max(text.lastIndexOf(" ", MAX_CHUNK_CHARS), text.lastIndexOf("\n", MAX_CHUNK_CHARS));
  if (space > 0) return space;
  return /[\uD800-\uDBFF]/.test(text[MAX_CHUNK_CHARS - 1] as string) ? MAX_CHUNK_CHARS - 1 : MAX_CHUNK_CHARS;
}
