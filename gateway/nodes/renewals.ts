/** What this node has written to the bus once, and writes again when the bus may have lost it. */
export class Renewals {
  readonly #writes = new Set<() => void>();

  /** The returned function ends it. */
  add(write: () => void): () => void {
    this.#writes.add(write);
    return () => this.#writes.delete(write);
  }

  writeAll(): void {
    for (const write of this.#writes) write();
  }
}
