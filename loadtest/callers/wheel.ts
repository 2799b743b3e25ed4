/** Callers in one slot send at the same moment; more slots spread them over the 20 ms. */
const SLOTS = 20;
const SLOT_MS = 1;

interface Ticking {
  tick(nowMs: number): void;
}

/** Ticks everything on it every 20 ms, spread evenly, with one timer; never loses a tick when it runs late. */
export class Wheel {
  readonly #slots: Set<Ticking>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  readonly #onLag: (lagMs: number) => void;
  readonly #startMs = performance.now();
  #turned = 0;
  #added = 0;

  constructor(onLag: (lagMs: number) => void) {
    this.#onLag = onLag;
    this.#timer = setInterval(() => this.#turn(), SLOT_MS);
  }

  add(item: Ticking): void {
    this.#slots[this.#added++ % SLOTS]?.add(item);
  }

  remove(item: Ticking): void {
    for (const slot of this.#slots) slot.delete(item);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #turn(): void {
    const due = Math.floor((performance.now() - this.#startMs) / SLOT_MS);
    for (; this.#turned < due; this.#turned++) {
      const slot = this.#slots[this.#turned % SLOTS];
      const nowMs = performance.now();
      this.#onLag(nowMs - this.#startMs - (this.#turned + 1) * SLOT_MS);
      for (const item of slot ?? []) item.tick(nowMs);
    }
  }
}
