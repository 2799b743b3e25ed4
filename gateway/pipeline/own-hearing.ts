import { OwnKeys } from "@parley/media/echo/own-keys.ts";
import { OwnSound, type SoundOrigin } from "@parley/media/echo/own-sound.ts";
import { OwnVoice, type OwnVoiceOptions } from "@parley/media/echo/own-voice.ts";
import { afterWords, OwnWords } from "@parley/media/echo/own-words.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-socket.ts";
import type { WordsSoFar } from "../turn/barge-in.ts";
import { type OwnReason, speakerOf } from "../turn/own-voice.ts";

/** What is left of a recognised text when the agent's own words are taken out, and why something was. */
export interface OthersText {
  readonly text: string;
  readonly own?: OwnReason;
}

/** Keeps the agent from hearing itself: its voice, its words and its keys, as they come back by an echo. */
export class OwnHearing {
  readonly #voice: OwnVoice;
  readonly #sound: OwnSound;
  readonly #words = new OwnWords();
  readonly #keys: OwnKeys;

  constructor(options: OwnVoiceOptions) {
    this.#voice = new OwnVoice(options);
    this.#sound = new OwnSound(this.#voice);
    this.#keys = new OwnKeys(options);
  }

  /** The agent's frame of 20 ms as it was sent; `hasKeys`: there are keys in its reply. */
  sent(frame: Int16Array, { playAtMs, hasKeys }: { playAtMs: number; hasKeys: boolean }): void {
    this.#voice.sent(frame, playAtMs);
    if (hasKeys) this.#keys.sent(frame, playAtMs);
  }

  /** The audio of a clause begins to go out. */
  spoken(text: string, nowMs: number): void {
    this.#words.spoken(text, nowMs);
  }

  /** True when the caller's frame, which ended at `endMs`, holds the agent's own voice and nobody else's. */
  hear(frame: Int16Array, endMs: number, isVoice: boolean): boolean {
    return this.#sound.hear(frame, endMs, isVoice);
  }

  isOwnKey(digit: DtmfDigit, nowMs: number): boolean {
    return this.#keys.isEcho(digit, nowMs);
  }

  /** Whose voice it was since the last `forget`. */
  get origin(): SoundOrigin {
    return this.#sound.origin;
  }

  /** The words of what was heard so far are there, or asked for. */
  forget(): void {
    this.#sound.forget();
  }

  /** What somebody else said of a text that was recognised in such a sound. */
  othersText({ text, isFinal }: WordsSoFar, sound: SoundOrigin, nowMs: number): OthersText {
    const speaker = speakerOf(sound, this.#words.match(text, nowMs), isFinal);
    if (speaker.who === "agent") return { text: "", own: speaker.why };
    if (speaker.skipWords === 0) return { text };
    return { text: afterWords(text, speaker.skipWords), own: "own_words" };
  }
}
