/** Runs work of the same key in order, and different keys concurrently. */
export class InOrder {
  readonly #tails = new Map<string, Promise<void>>();

  /** Rejects with what the work throws; later work still runs. */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const done = before.then(work);
    const tail = done
      .catch(() => undefined)
      .finally(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    this.#tails.set(key, tail);
    return done;
  }

  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
