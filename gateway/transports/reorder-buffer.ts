/** The buffer waits for a gap to fill until this many later chunks have arrived or one of them is this old. */
const MAX_HELD = 5;
const MAX_WAIT_MS = 120;
/** This many late chunks in a row mean that the sender restarted its count. */
const MAX_LATE = 10;

interface Held {
  readonly bytes: Uint8Array;
  readonly atMs: number;
}

/** Puts numbered audio back in order; drops duplicates and late chunks. Holds a few chunks at most. */
export class ReorderBuffer {
  readonly #held = new Map<number, Held>();
  #next: number | undefined;
  #lateInARow = 0;

  /** Takes a chunk, which must not change afterwards. Returns what can be played now, in order. */
  push(chunk: number, bytes: Uint8Array, nowMs: number): Uint8Array[] {
    this.#next ??= chunk;
    if (chunk < this.#next) {
      this.#lateInARow += 1;
      if (this.#lateInARow <= MAX_LATE) return [];
      this.#held.clear();
      this.#next = chunk;
    }
    this.#lateInARow = 0;
    if (!this.#held.has(chunk)) this.#held.set(chunk, { bytes, atMs: nowMs });
    const ready = this.#takeRun(this.#next);
    if (this.#isGapTooOld(nowMs)) ready.push(...this.#takeRun(Math.min(...this.#held.keys())));
    return ready;
  }

  #takeRun(from: number): Uint8Array[] {
    const run: Uint8Array[] = [];
    let at = from;
    for (let held = this.#held.get(at); held; held = this.#held.get(at)) {
      run.push(held.bytes);
      this.#held.delete(at);
      at += 1;
    }
    this.#next = at;
    return run;
  }

  #isGapTooOld(nowMs: number): boolean {
    if (this.#held.size >= MAX_HELD) return true;
    return [...this.#held.values()].some(({ atMs }) => nowMs - atMs > MAX_WAIT_MS);
  }
}
