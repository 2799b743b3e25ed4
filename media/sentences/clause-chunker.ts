/** Cuts streamed text into pieces worth speaking. */
export class ClauseChunker {
  #pending = "";

  /** Takes the next token; returns the chunks it completes, often none. */
  push(token: string): string[] {
    this.#pending += token;
    const chunks: string[] = [];
    for (;;) {
      const end = /[.!?。！？।॥؟…]+["'”’)\]]*(?=\s)/u.exec(this.#pending);
      if (end === null) return chunks;
      this.#take(end.index + end[0].length, chunks);
    }
  }

  /** The rest: no more tokens come. */
  flush(): string[] {
    const chunks: string[] = [];
    this.#take(this.#pending.length, chunks);
    return chunks;
  }

  /** Text that was pushed and has not left in a chunk. */
  get pending(): string {
    return this.#pending;
  }

  #take(length: number, chunks: string[]): void {
    const chunk = this.#pending.slice(0, length).trim();
    this.#pending = this.#pending.slice(length).trimStart();
    if (chunk !== "") chunks.push(chunk);
  }
}
