/** Maximum number of stretches of sound to keep: more than the waiting lines of one answer. */
const MAX_STRETCHES = 32;
/** Frames no further apart than this form one sound. */
const SAME_SOUND_MS = 60;

interface Stretch {
  readonly fromMs: number;
  toMs: number;
}

/** Measures how long a caller heard nothing while waiting for an answer, on the call's monotonic clock. */
export class DeadAir {
  #sounds: Stretch[] = [];

  /** Notes that `ms` of audio is heard from `atMs` on. */
  heard(atMs: number, ms: number): void {
    const last = this.#sounds.at(-1);
    if (last && atMs - last.toMs <= SAME_SOUND_MS) last.toMs = Math.max(last.toMs, atMs + ms);
    else this.#sounds.push({ fromMs: atMs, toMs: atMs + ms });
    if (this.#sounds.length > MAX_STRETCHES) this.#sounds.shift();
  }

  /** The longest silence between the two instants, in whole ms. */
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
