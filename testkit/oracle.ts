import { FRAME_MS } from "@parley/media/pcm.ts";
import type { SttEvent, SttSession } from "@parley/media/stt/port.ts";

/** Recognizers answer a little later than they hear. */
const LATENCY_MS = 200;
/** The agent's words are heard where they are this much louder than the room: all of them, or every other one. */
const CLEAR_OVER_ROOM = 5.6;
const FAINT_OVER_ROOM = 2;
const SILENCE_ENDS_MS = 400;
/** A recognizer that takes soft voices for silence finalizes each word this soon. */
const SOFT_ENDS_MS = 100;
/** Mean magnitude of audible audio: about -55 dBFS. */
const AUDIBLE = 40;
type Speaker = "agent" | "caller";

/** A spoken word, with both sides' average loudness during it. */
interface SaidWord {
  readonly speaker: Speaker;
  readonly text: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly loudness: Record<Speaker, number>;
}

export interface OracleOptions {
  /** The agent's echo is finalized about a word at a time. */
  readonly isWordByWord: boolean;
  /** How late text comes after its sound; 200 ms when absent. */
  readonly latencyMs?: number;
  /** Mean magnitude of the room's sound. */
  readonly room?: number;
  /** What is understood of a word of the agent's echo; the word itself when absent. */
  readonly understood?: (word: string) => string;
}

/**
 * A flawless streaming recognizer: it knows who says what, and transcribes each word when it was said. When
 * both talk at once, it transcribes the louder side.
 */
export class Oracle {
  readonly #options: OracleOptions;
  readonly #latencyMs: number;
  #agentWords = 0;
  #words: SaidWord[] = [];
  #isAudible = false;
  #emit: (event: SttEvent) => void = () => undefined;
  /** Words not yet sent in a final. */
  #open: string[] = [];
  #silentMs = 0;
  #due: { readonly atMs: number; readonly event: SttEvent }[] = [];
  #hasNewWord = false;
  #finalizes = 0;

  constructor(options: OracleOptions) {
    this.#options = options;
    this.#latencyMs = options.latencyMs ?? LATENCY_MS;
  }

  /** Registers `text` as spoken by one side over a period; each letter takes the same time. */
  speaks(speaker: Speaker, text: string, { fromMs, toMs }: { fromMs: number; toMs: number }): void {
    const msALetter = (toMs - fromMs) / (text.length + 1);
    let atMs = fromMs;
    for (const word of text.split(" ")) {
      const times = { fromMs: atMs, toMs: atMs + (word.length + 1) * msALetter };
      if (word !== "") this.#words.push({ speaker, text: word, ...times, loudness: { agent: 0, caller: 0 } });
      atMs = times.toMs;
    }
  }

  /** Drops the agent's words after `nowMs`. */
  agentIsCut(nowMs: number): void {
    this.#words = this.#words.filter(({ speaker, fromMs }) => speaker === "caller" || fromMs < nowMs);
  }

  /** Measures both sides' audio in this frame. */
  sounds(frames: Record<Speaker, Int16Array | undefined>, nowMs: number): void {
    const agent = loudnessOf(frames.agent);
    const caller = loudnessOf(frames.caller);
    this.#isAudible = Math.max(this.#options.isWordByWord ? 0 : agent, caller) >= AUDIBLE;
    for (const { fromMs, toMs, loudness } of this.#words) {
      if (nowMs <= fromMs) continue;
      const share = FRAME_MS / (toMs - fromMs);
      loudness.agent += agent * share;
      loudness.caller += caller * share;
    }
    const said = this.#words.filter(({ toMs }) => toMs <= nowMs);
    this.#words = this.#words.filter(({ toMs }) => toMs > nowMs);
    for (const word of said) {
      if (!this.#isHeard(word)) continue;
      const { understood } = this.#options;
      this.#open.push(word.speaker === "agent" && understood ? understood(word.text) : word.text);
      this.#hasNewWord = true;
    }
  }

  #isHeard({ speaker, loudness }: SaidWord): boolean {
    // Words covered by the other side are lost.
    const other = speaker === "agent" ? loudness.caller : loudness.agent;
    if (loudness[speaker] < AUDIBLE || loudness[speaker] < other) return false;
    if (speaker === "caller") return true;
    const { room = 0 } = this.#options;
    this.#agentWords += 1;
    if (loudness.agent >= room * CLEAR_OVER_ROOM) return true;
    return loudness.agent >= room * FAINT_OVER_ROOM && this.#agentWords % 2 === 0;
  }

  /** Advances time by a frame. */
  hear(_frame: Int16Array, nowMs: number): void {
    this.#silentMs = this.#isAudible ? 0 : this.#silentMs + FRAME_MS;
    const endsMs = this.#options.isWordByWord ? SOFT_ENDS_MS : SILENCE_ENDS_MS;
    for (; this.#finalizes > 0; this.#finalizes--) this.#settle(nowMs, { fromFinalize: true });
    if (this.#open.length > 0 && this.#silentMs >= endsMs) {
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
    this.#due.push({ atMs: nowMs + this.#latencyMs, event });
  }
}

function loudnessOf(frame: Int16Array | undefined): number {
  if (!frame) return 0;
  return frame.reduce((sum, sample) => sum + Math.abs(sample), 0) / frame.length;
}
