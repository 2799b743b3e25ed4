/** Stretches of sound that are kept: more than one answer's waiting lines. */
const MAX_STRETCHES = 32;
/** Frames this near to each other are one sound. */
const SAME_SOUND_MS = 60;

interface Stretch {
  readonly fromMs: number;
  toMs: number;
}

/** How long a caller heard nothing while they waited for an answer, on the call's monotonic clock. */
export class DeadAir {
  #sounds: Stretch[] = [];

  /** Audio of `ms` is heard from `atMs` on. */
  heard(atMs: number, ms: number): void {
    const last = this.#sounds.at(-1);
    if (last && atMs - last.toMs <= SAME_SOUND_MS) last.toMs = Math.max(last.toMs, atMs + ms);
    else this.#sounds.push({ fromMs: atMs, toMs: atMs + ms });
    if (this.#sounds.length > MAX_STRETCHES) this.#sounds.shift();
  }

  /** The longest stretch without a sound between the two instants, in whole ms. */
  longestMs(fromMs: number, toMs: number): number {
    let silentFromMs = fromMs;
    let longestMs = 0;
    for (const sound of this.#sounds) {
      if (sound.toMs <= silentFromMs) continue;
      longestMs = Math.max(longestMs, Math.min(sound.fromMs, toMs) - silentFromMs);
      silentFromMs = Math.max(silentFromMs, sound.toMs);
      if (silentFromMs >= toMs) break;
    }
    return Math.round(Math.max(longestMs, toMs - silentFromMs, 0));
  }
}
