import { OwnKeys } from "@parley/media/echo/own-keys.ts";
import { OwnSound, type SoundOrigin } from "@parley/media/echo/own-sound.ts";
import { OwnVoice, type OwnVoiceOptions } from "@parley/media/echo/own-voice.ts";
import { afterWords, OwnWords } from "@parley/media/echo/own-words.ts";
import { isBackchannel } from "@parley/media/end-of-turn/backchannel.ts";
import { wordsOf } from "@parley/media/end-of-turn/words.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import type { WordsSoFar } from "../turn/barge-in.ts";
import {
  CALLER,
  type HeardText,
  isOwnRun,
  type OwnReason,
  type Speaker,
  speakerOf,
} from "../turn/own-voice.ts";

/** Recognized text without the agent's own words, and why words were removed. */
export interface OthersText {
  readonly text: string;
  readonly own?: OwnReason;
  /** How long to wait to learn whether there is an echo; until then the text may be the agent's. */
  readonly undecidedMs?: number;
  /** Nobody was clearly heard: with others that wait, it may be too many of the agent's words for a caller. */
  readonly mayJoin?: boolean;
  /** How much of a caller's voice makes it theirs; without it, they are the agent's. */
  readonly theirFrames?: number;
}

/** Keeps the agent from hearing itself: its voice, its words and its keys, returned as an echo. */
export class OwnHearing {
  readonly #voice: OwnVoice;
  readonly #sound: OwnSound;
  readonly #words = new OwnWords();
  /** The leading words of the growing text that were the agent's. */
  #ownSoFar: readonly string[] = [];
  /** An echo was known while the text grew; the agent may be silent by the time the final comes. */
  #hadEcho = false;
  /** By its sound, some of the growing text is another person's; this stays so until the final. */
  #hasOthers = false;
  readonly #keys: OwnKeys;

  constructor(options: OwnVoiceOptions) {
    this.#voice = new OwnVoice(options);
    this.#sound = new OwnSound(this.#voice);
    this.#keys = new OwnKeys(options);
  }

  /** Takes each 20 ms frame of the agent as it was sent; `hasKeys`: its reply contains key tones. */
  sent(frame: Int16Array, { playAtMs, hasKeys }: { playAtMs: number; hasKeys: boolean }): void {
    this.#voice.sent(frame, playAtMs);
    if (hasKeys) this.#keys.sent(frame, playAtMs);
  }

  /** Notes that the audio of a clause starts to go out. */
  spoken(text: string, nowMs: number): void {
    this.#words.spoken(text, nowMs);
  }

  /** True if the caller's frame that ended at `endMs` holds the agent's own voice and nobody else's. */
  hear(frame: Int16Array, endMs: number, isVoice: boolean): boolean {
    return this.#sound.hear(frame, endMs, isVoice);
  }

  isOwnKey(digit: DtmfDigit, nowMs: number): boolean {
    return this.#keys.isEcho(digit, nowMs);
  }

  /** Whose voice was heard since the last `forget`. */
  get origin(): SoundOrigin {
    return this.#sound.origin;
  }

  /** Starts over, because the words of what was heard so far have arrived or were asked for. */
  forget(): void {
    this.#sound.forget();
  }

  /** How often an echo was found, or found at another delay. */
  get echoes(): number {
    return this.#voice.echoes;
  }

  /** True if the incoming sound resembles an echo. */
  get maybeEcho(): boolean {
    return this.#voice.maybeEcho;
  }

  /** True if the incoming sound is probably an echo. */
  get isLikelyEcho(): boolean {
    return this.#voice.isLikelyEcho;
  }

  /** True if nothing the agent said can come back any more. */
  get isOver(): boolean {
    return this.#voice.state === "silent";
  }

  /** True if the words are the agent's, and too many in a row for a caller who asks back. */
  areOwnWords(text: string, nowMs: number): boolean {
    return isOwnRun(this.#words.match(text, nowMs));
  }

  /** The part of a recognized text that another person said, given the sound in which it was recognized. */
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
    const isEchoing = this.#hadEcho;
    this.#hadEcho &&= !isFinal;
    if (speaker.who !== "caller" || skipWords > 0) this.#words.heard(text, isFinal, nowMs);
    if (speaker.who === "agent") return { text: "", own: speaker.why };
    const rest = skipWords === 0 ? text : afterWords(text, skipWords);
    if (speaker.who === "undecided") {
      const { forMs: undecidedMs, theirFrames } = speaker;
      const mayJoin = sound.whose !== "theirs";
      return { text: rest, undecidedMs, mayJoin, ...(theirFrames !== undefined && { theirFrames }) };
    }
    const said = isEchoing ? this.#encouragementIn(rest, isFinal, nowMs) : rest;
    if (isFinal && isBackchannel(said)) this.#sound.spend();
    return said === text ? { text } : { text: said, own: "own_words" };
  }

  /** A listener's "mm-hm" without the words around it with which the agent goes on meanwhile; all other text whole. */
  #encouragementIn(text: string, isFinal: boolean, nowMs: number): string {
    const pieces = text.split(/\s+/u).filter((piece) => wordsOf(piece).length > 0);
    const { before, after } = this.#words.around(wordsOf(text), nowMs);
    const to = pieces.length - after;
    for (let from = 0; from <= before && from < to; from++) {
      const said = pieces.slice(from, to).join(" ");
      if (from === 0 && after === 0) continue;
      if (!isBackchannel(said)) continue;
      this.#words.heard([...pieces.slice(0, from), ...pieces.slice(to)].join(" "), isFinal, nowMs);
      return said;
    }
    return text;
  }

  /** Who said the text. `known`: how many leading words are surely the agent's; `isForeign`: hardly any words are. */
  #speakerOf(
    { text, known, isFinal }: WordsSoFar & { known: number },
    sound: SoundOrigin,
    nowMs: number,
  ): { speaker: Speaker; skipWords: number; isForeign: boolean } {
    const heard = {
      sound,
      isFinal,
      echo: this.#certainty,
      isEchoing: this.#hadEcho,
      sinceOnsetMs: this.#voice.sinceOnsetMs ?? 0,
    };
    const whole = this.#words.match(text, nowMs);
    // Words that continue as the agent's do are judged with the words before them, all others by themselves.
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

  /** The leading words of a text that are the agent's; they stay so while the text grows. */
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
