import { OwnKeys } from "@parley/media/echo/own-keys.ts";
import { OwnSound, type SoundOrigin } from "@parley/media/echo/own-sound.ts";
import { OwnVoice, type OwnVoiceOptions } from "@parley/media/echo/own-voice.ts";
import { afterWords, OwnWords } from "@parley/media/echo/own-words.ts";
import { wordsOf } from "@parley/media/turn/words.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import type { WordsSoFar } from "../turn/barge-in.ts";
import { CALLER, type HeardText, type OwnReason, type Speaker, speakerOf } from "../turn/own-voice.ts";

/** What is left of a recognized text when the agent's own words are taken out, and why something was. */
export interface OthersText {
  readonly text: string;
  readonly own?: OwnReason;
  /** It may be the agent's: that is known as soon as it is known whether there is an echo, which is waited for so long. */
  readonly undecidedMs?: number;
}

/** Keeps the agent from hearing itself: its voice, its words and its keys, as they come back by an echo. */
export class OwnHearing {
  readonly #voice: OwnVoice;
  readonly #sound: OwnSound;
  readonly #words = new OwnWords();
  /** What the text that grows began with, and was the agent's. */
  #ownSoFar: readonly string[] = [];
  /** An echo was known while the text grew: the agent may be silent by the time its final comes. */
  #hadEcho = false;
  /** Some of the text that grows is somebody else's, by its sound: it stays so. */
  #hasOthers = false;
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

  /** How often an echo was found, or found at another delay. */
  get echoes(): number {
    return this.#voice.echoes;
  }

  /** What is heard resembles one. */
  get maybeEcho(): boolean {
    return this.#voice.maybeEcho;
  }

  /** What is heard is likely one. */
  get isLikelyEcho(): boolean {
    return this.#voice.isLikelyEcho;
  }

  /** Nothing of the agent's can come back now. */
  get isOver(): boolean {
    return this.#voice.state === "silent";
  }

  /** What somebody else said of a text that was recognized in such a sound. */
  othersText({ text, isFinal }: WordsSoFar, sound: SoundOrigin, nowMs: number): OthersText {
    const words = wordsOf(text);
    this.#hadEcho ||= this.#voice.state === "known";
    const known = this.#hadEcho ? sameAtFirst(words, this.#ownSoFar) : 0;
    const judged = this.#speakerOf({ text, known, isFinal }, sound, nowMs);
    const stays = this.#hasOthers && judged.speaker.who === "agent";
    const { speaker, skipWords } = stays ? { speaker: CALLER, skipWords: known } : judged;
    const isOthers = speaker.who === "caller" && sound.whose === "theirs" && known < words.length;
    this.#hasOthers = !isFinal && (this.#hasOthers || isOthers);
    this.#ownSoFar = isFinal ? [] : this.#ownOf(words, speaker);
    if (isFinal && judged.isForeign && !this.#hadEcho) this.#sound.wereTheirs();
    this.#hadEcho &&= !isFinal;
    if (speaker.who === "agent") return { text: "", own: speaker.why };
    const rest = skipWords === 0 ? text : afterWords(text, skipWords);
    if (speaker.who === "undecided") return { text: rest, undecidedMs: speaker.forMs };
    return skipWords === 0 ? { text } : { text: rest, own: "own_words" };
  }

  /** Who said it; `known`: so many words at the beginning are the agent's for sure; `isForeign`: hardly any are. */
  #speakerOf(
    { text, known, isFinal }: WordsSoFar & { known: number },
    sound: SoundOrigin,
    nowMs: number,
  ): { speaker: Speaker; skipWords: number; isForeign: boolean } {
    const heard = { sound, isFinal, echo: this.#certainty, sinceOnsetMs: this.#voice.sinceOnsetMs ?? 0 };
    const whole = this.#words.match(text, nowMs);
    // Words that go on as the agent's do are judged with those before them, all others by themselves.
    const isBroken = known > 0 && known < whole.count && whole.leading < whole.count;
    const speaker = speakerOf(heard, isBroken ? this.#words.match(afterWords(text, known), nowMs) : whole);
    const skipped = speaker.who === "caller" ? speaker.skipWords : 0;
    const isForeign = speaker.who === "caller" && whole.matched * 2 < whole.count;
    return { speaker, skipWords: isBroken ? known + skipped : Math.max(known, skipped), isForeign };
  }

  get #certainty(): HeardText["echo"] {
    if (this.#voice.isLikelyEcho) return "likely";
    if (this.#voice.maybeEcho) return "suspected";
    return this.#voice.state === "unknown" ? "sought" : "settled";
  }

  /** The words at the beginning of a text that are the agent's: they stay so while the text grows. */
  #ownOf(words: readonly string[], speaker: Speaker): readonly string[] {
    if (speaker.who === "agent") return words;
    const sameAsBefore = sameAtFirst(words, this.#ownSoFar);
    const skipped = speaker.who === "caller" ? speaker.skipWords : 0;
    return words.slice(0, Math.max(sameAsBefore, skipped));
  }
}

function sameAtFirst(words: readonly string[], others: readonly string[]): number {
  const other = words.findIndex((word, i) => word !== others[i]);
  return other === -1 ? words.length : other;
}
