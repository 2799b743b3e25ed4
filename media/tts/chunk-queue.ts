/** Chunks between a socket that pushes and a reader that pulls. */
export class ChunkQueue implements AsyncIterable<Uint8Array> {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #end: { readonly error?: Error } | undefined;
  #wake: (() => void) | undefined;

  /** Bytes that were pushed and not read. */
  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Uint8Array): void {
    if (this.#end) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#wake?.();
  }

  /** The reader gets the remaining chunks, then the end. */
  end(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** The reader gets the remaining chunks, then the error. */
  fail(error: Error): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#bytes -= chunk.length;
        yield chunk;
      } else if (this.#end) {
        if (this.#end.error) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
