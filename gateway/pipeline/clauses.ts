import { ClauseChunker } from "@parley/media/sentences/clause-chunker.ts";
import type { BrainPart } from "@parley/shared/brain/client.ts";
import type { BrainControl } from "@parley/shared/contracts/brain-control.ts";
import { cutText } from "@parley/shared/contracts/storable.ts";

/** The steps of an answer once its tokens are assembled: things to say and things to do, in order. */
export type SpeechStep =
  | { readonly type: "clause"; readonly text: string }
  | { readonly type: "control"; readonly control: BrainControl };

export interface ClauseOptions {
  /** The whole words of a clause that stays open longer than this are spoken. */
  readonly clauseFlushMs: number;
  /** Calls `fn` once after `ms`; the returned function cancels it. */
  readonly after: (ms: number, fn: () => void) => () => void;
}

const FLUSH = "flush";
/** Characters that are cut before the other calls go on: each takes up to 3.5 µs, and a token may have four million. */
const CHARS_AT_ONCE = 1_000;

/**
 * Assembles streamed tokens into clauses that a voice can speak; control events keep their place between them. A brain
 * that pauses in mid-sentence does not keep the caller waiting: after `clauseFlushMs` the open words are spoken, except
 * one that may still grow.
 */
export async function* intoClauses(
  parts: AsyncIterable<BrainPart>,
  options: ClauseOptions,
): AsyncIterable<SpeechStep> {
  const chunker = new ClauseChunker();
  const iterator = parts[Symbol.asyncIterator]();
  try {
    let pending = iterator.next();
    let isFlushed = false;
    let sinceOthers = 0;
    while (true) {
      const isClauseOpen = chunker.pending !== "" && !isFlushed;
      const next = await nextOrFlush(pending, isClauseOpen, options);
      if (next === FLUSH) {
        for (const text of chunker.flushWords()) yield clause(text);
        isFlushed = true;
        continue;
      }
      isFlushed = false;
      if (next.done) break;
      if (next.value.type === "token") {
        for (let rest = next.value.text; rest !== ""; ) {
          const piece = cutText(rest, CHARS_AT_ONCE);
          rest = rest.slice(piece.length);
          // Most tokens end no clause: `yield*` would await each of their empty lists.
          for (const text of chunker.push(piece)) yield clause(text);
          sinceOthers += piece.length;
          if (sinceOthers < CHARS_AT_ONCE) continue;
          sinceOthers = 0;
          await othersGoOn();
        }
      } else {
        const { control } = next.value;
        for (const text of chunker.flush()) yield clause(text);
        if (control.event === "call_end" && control.farewell) {
          for (const text of [...chunker.push(control.farewell), ...chunker.flush()]) yield clause(text);
        }
        yield { type: "control", control };
      }
      pending = iterator.next();
    }
    for (const text of chunker.flush()) yield clause(text);
  } finally {
    await iterator.return?.();
  }
}

/** Splits a whole text into the clauses that the voice gets; the same text yields the same clauses in every call. */
export function clausesOf(text: string): string[] {
  const chunker = new ClauseChunker();
  return [...chunker.push(text), ...chunker.flush()].map((clause) => clause.trim());
}

/** Uses a timer rather than an abort signal: one signal per token cost a tenth of a turn's work. */
function nextOrFlush(
  pending: Promise<IteratorResult<BrainPart>>,
  isClauseOpen: boolean,
  { clauseFlushMs, after }: ClauseOptions,
): Promise<IteratorResult<BrainPart> | typeof FLUSH> {
  if (!isClauseOpen) return pending;
  return new Promise((resolve, reject) => {
    const cancel = after(clauseFlushMs, () => resolve(FLUSH));
    pending.then(
      (next) => {
        cancel();
        resolve(next);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

const othersGoOn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function clause(text: string): SpeechStep {
  return { type: "clause", text };
}
