/** Does what belongs to one key in the order it was asked for, and different keys side by side. */
export class InOrder {
  readonly #tails = new Map<string, Promise<void>>();

  /** Rejects with what the work throws; what comes after it is done all the same. */
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
