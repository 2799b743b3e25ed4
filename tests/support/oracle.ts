import { FRAME_MS } from "@parley/media/pcm.ts";
import type { SttEvent, SttSession } from "@parley/media/stt/port.ts";

/** A word of speech takes so much voice. */
const MS_A_WORD = 260;
/** Recognisers answer a little later than they hear. */
const LATENCY_MS = 200;
const SILENCE_ENDS_MS = 400;
/** Mean magnitude of a frame in which somebody is to be heard: about -50 dBFS. */
const AUDIBLE = 60;
/** Who is louder is told by the last quarter of a second or so, a word. */
const KEEP = 0.9;

type Speaker = "agent" | "caller";

/**
 * A streaming recogniser that makes no mistakes: it knows who says what, and writes a word down when as much of it was
 * heard. Where two talk at once it writes down the louder one.
 */
export class Oracle {
  readonly #words: Record<Speaker, string[]> = { agent: [], caller: [] };
  readonly #voicedMs: Record<Speaker, number> = { agent: 0, caller: 0 };
  #isAudible = false;
  /** How much louder the caller has been of late. */
  #lead = 0;
  #emit: (event: SttEvent) => void = () => undefined;
  /** Not told in a final yet. */
  #open: string[] = [];
  #silentMs = 0;
  #due: { readonly atMs: number; readonly event: SttEvent }[] = [];
  #hasNewWord = false;
  #finalizes = 0;

  /** One of the two begins to say `text`, after what they were saying. */
  speaks(speaker: Speaker, text: string): void {
    this.#words[speaker].push(...text.split(/\s+/u).filter((word) => word !== ""));
  }

  /** What each of the two sounds like in this frame. */
  sounds(frames: Record<Speaker, Int16Array | undefined>): void {
    const agent = loudnessOf(frames.agent);
    const caller = loudnessOf(frames.caller);
    this.#isAudible = Math.max(agent, caller) >= AUDIBLE;
    this.#lead = this.#lead * KEEP + caller - agent;
    const louder = this.#lead > 0 ? "caller" : "agent";
    // What the other one covers is lost, and so are its words.
    for (const [speaker, loudness] of [
      ["agent", agent],
      ["caller", caller],
    ] as const) {
      if (loudness < AUDIBLE) continue;
      this.#voicedMs[speaker] += FRAME_MS;
      if (this.#voicedMs[speaker] < MS_A_WORD) continue;
      this.#voicedMs[speaker] = 0;
      const word = this.#words[speaker].shift();
      if (word === undefined || speaker !== louder) continue;
      this.#open.push(word);
      this.#hasNewWord = true;
    }
  }

  /** Time goes on. */
  hear(_frame: Int16Array, nowMs: number): void {
    this.#silentMs = this.#isAudible ? 0 : this.#silentMs + FRAME_MS;
    for (; this.#finalizes > 0; this.#finalizes--) this.#settle(nowMs, { fromFinalize: true });
    if (this.#open.length > 0 && this.#silentMs >= SILENCE_ENDS_MS) {
      this.#settle(nowMs, { fromFinalize: false, endsSpeech: true });
    } else if (this.#hasNewWord) {
      this.#later(nowMs, { type: "interim", text: this.#open.join(" ") });
    }
    this.#hasNewWord = false;
    while (this.#due[0] && this.#due[0].atMs <= nowMs) this.#emit(this.#due.shift()?.event as SttEvent);
  }

  open(onEvent: (event: SttEvent) => void): SttSession {
    this.#emit = onEvent;
    return {
      feed: "stream",
      hasInterims: true,
      answersWithinMs: undefined,
      write: () => undefined,
      finalize: () => {
        this.#finalizes += 1;
      },
      close: () => undefined,
    };
  }

  #settle(nowMs: number, flags: { fromFinalize: boolean; endsSpeech?: boolean }): void {
    this.#later(nowMs, { type: "final", text: this.#open.join(" "), ...flags });
    this.#open = [];
  }

  #later(nowMs: number, event: SttEvent): void {
    this.#due.push({ atMs: nowMs + LATENCY_MS, event });
  }
}

function loudnessOf(frame: Int16Array | undefined): number {
  if (!frame) return 0;
  return frame.reduce((sum, sample) => sum + Math.abs(sample), 0) / frame.length;
}
