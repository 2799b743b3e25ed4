import { ClauseChunker } from "@parley/media/sentences/clause-chunker.ts";
import type { BrainPart } from "@parley/shared/brain/client.ts";
import type { BrainControl } from "@parley/shared/contracts/brain.ts";

/** What an answer is made of once its tokens are put together: things to say and things to do, in order. */
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

/**
 * Puts streamed tokens together to clauses a voice can speak. Control events keep their place between
 * them. A brain that pauses in the middle of a sentence does not keep the caller waiting: the words that
 * are open after `clauseFlushMs` are spoken, but for one that may yet go on.
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
    while (true) {
      const isClauseOpen = chunker.pending !== "" && !isFlushed;
      const next = await nextOrFlush(pending, isClauseOpen, options);
      if (next === FLUSH) {
        yield* clauses(chunker.flushWords());
        isFlushed = true;
        continue;
      }
      isFlushed = false;
      if (next.done) break;
      if (next.value.type === "token") {
        yield* clauses(chunker.push(next.value.text));
      } else {
        const { control } = next.value;
        yield* clauses(chunker.flush());
        if (control.event === "call_end" && control.farewell) {
          yield* clauses([...chunker.push(control.farewell), ...chunker.flush()]);
        }
        yield { type: "control", control };
      }
      pending = iterator.next();
    }
    yield* clauses(chunker.flush());
  } finally {
    await iterator.return?.();
  }
}

/** A whole text as the voice is handed it: the same clauses in every call. */
export function clausesOf(text: string): string[] {
  const chunker = new ClauseChunker();
  return [...chunker.push(text), ...chunker.flush()].map((clause) => clause.trim());
}

/** By a timer, not by an abort signal: one of those a token was a tenth of a turn's work. */
function nextOrFlush(
  pending: Promise<IteratorResult<BrainPart>>,
  isClauseOpen: boolean,
  { clauseFlushMs, after }: ClauseOptions,
): Promise<IteratorResult<BrainPart> | typeof FLUSH> {
  if (!isClauseOpen) return pending;
  return new Promise((resolve, reject) => {
    const cancel = after(clauseFlushMs, () => resolve(FLUSH));
    pending.then(resolve, reject).finally(cancel);
  });
}

function* clauses(texts: readonly string[]): Iterable<SpeechStep> {
  for (const text of texts) yield { type: "clause", text };
}
