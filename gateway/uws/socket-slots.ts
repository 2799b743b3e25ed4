/**
 * Limits the sockets of one route, including those whose upgrade is still being decided: a slow bus must not let
 * waiting upgrades pile up.
 */
export class SocketSlots {
  readonly #max: number;
  #taken = 0;
  #onNone: (() => void) | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns false if all slots are taken. */
  take(): boolean {
    if (this.#taken >= this.#max) return false;
    this.#taken += 1;
    return true;
  }

  free(): void {
    this.#taken -= 1;
    if (this.#taken === 0) this.#onNone?.();
  }

  /** Resolves when no slot is taken, or after `withinMs`. */
  async untilNone(withinMs: number): Promise<void> {
    if (this.#taken === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
