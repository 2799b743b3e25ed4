/** Counts open sockets, and tells when there are none. */
export class SocketCount {
  #open = 0;
  #onNone: (() => void) | undefined;

  /** Counts along with `observe`. */
  counting(observe: (change: 1 | -1) => void): (change: 1 | -1) => void {
    return (change) => {
      this.#open += change;
      observe(change);
      if (this.#open === 0) this.#onNone?.();
    };
  }

  /** Resolves when no socket is open, or after `withinMs`. */
  async untilNone(withinMs: number): Promise<void> {
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
