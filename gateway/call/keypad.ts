import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";

/** Keys pressed within this time of each other form one entry. */
const ENTRY_PAUSE_MS = 2_000;
/** A key that arrives as a message and as a tone within this time is one press. */
const SAME_PRESS_MS = 500;
const MAX_ENTRY_KEYS = 64;

export interface KeypadOptions {
  readonly now: () => number;
  /** Reports each press once. */
  readonly onDigit: (digit: DtmfDigit) => void;
  /** Reports keys that belong together, ended by `#` or a pause. */
  readonly onEntry: (keys: string) => void;
}

/** Gathers key presses from messages and tones into presses and entries. */
export class Keypad {
  readonly #options: KeypadOptions;
  #keys = "";
  #last: { digit: DtmfDigit; by: "message" | "tone"; atMs: number } | undefined;

  constructor(options: KeypadOptions) {
    this.#options = options;
  }

  press(digit: DtmfDigit, by: "message" | "tone"): void {
    const atMs = this.#options.now();
    const last = this.#last;
    const isEcho = last?.digit === digit && last.by !== by && atMs - last.atMs < SAME_PRESS_MS;
    if (isEcho) return;
    this.#last = { digit, by, atMs };
    this.#options.onDigit(digit);
    this.#keys += digit;
    if (digit === "#" || this.#keys.length >= MAX_ENTRY_KEYS) this.#enter();
  }

  /** Called every 20 ms. */
  tick(): void {
    if (this.#keys === "" || !this.#last) return;
    if (this.#options.now() - this.#last.atMs >= ENTRY_PAUSE_MS) this.#enter();
  }

  #enter(): void {
    const keys = this.#keys;
    this.#keys = "";
    this.#options.onEntry(keys);
  }
}
