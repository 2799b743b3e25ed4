/** Writes that this node has made to the bus once, and repeats if the bus may have lost them. */
export class Renewals {
  readonly #writes = new Set<() => void>();
  #isClosed = false;

  /** True once the node writes nothing any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The returned function ends the renewal. */
  add(write: () => void): () => void {
    this.#writes.add(write);
    return () => this.#writes.delete(write);
  }

  writeAll(): void {
    for (const write of this.#writes) write();
  }

  close(): void {
    this.#isClosed = true;
  }
}
