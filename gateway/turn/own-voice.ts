import type { SoundOrigin } from "@parley/media/echo/own-sound.ts";
import type { WordMatch } from "@parley/media/echo/own-words.ts";

/** Why a text is the agent's own: by its sound, or by its words where the sound does not tell. */
export type OwnReason = "own_voice" | "own_words";

/** `undecided`: words of the agent's, while it is not known yet whether there is an echo; that is waited for so long. */
export type Speaker =
  | { readonly who: "undecided"; readonly forMs: number }
  | { readonly who: "agent"; readonly why: OwnReason }
  /** `skipWords`: so many words at the beginning are the agent's, and the caller's follow. */
  | { readonly who: "caller"; readonly skipWords: number };

/** Fewer words of the agent's in a row are a caller who asks back: "Tuesday?", "at ten?". */
const MIN_OWN_WORDS = 3;
/** The same when somebody was heard beside the echo: a cough, or a caller who asks back at length. */
const MIN_OWN_WORDS_BESIDE = 4;
/** So many frames of 20 ms were the agent's own voice: its words are to be expected in the text. */
const ECHO_FRAMES = 10;

/** An echo is found, or is none, within this long after it began. */
export const DECIDED_MS = 700;
/** One that was not there before begins to be seen within this long after it began. */
const BEGINS_MS = 300;

/** All of it is the caller's. */
export const CALLER: Speaker = { who: "caller", skipWords: 0 };
const BY_WORDS: Speaker = { who: "agent", why: "own_words" };

/** How a text was heard. */
export interface HeardText {
  readonly sound: SoundOrigin;
  readonly isFinal: boolean;
  /**
   * `sought`: whether there is an echo is still being found out; `suspected`: what is heard resembles the agent's voice,
   * where no echo was; `likely`: for long, and much; `settled`: none of these.
   */
  readonly echo: "settled" | "sought" | "suspected" | "likely";
  /** How long ago the sound began, on a line where nothing was heard of the agent just before. */
  readonly sinceOnsetMs?: number;
}

/**
 * Who said a text that was recognized: the agent, come back by an echo, or the caller. The sound decides where it is clear;
 * the words decide where it is not, and part a text in which both are (docs/decisions/turns.md#agents-own-voice-told-from).
 */
export function speakerOf({ sound, isFinal, echo, sinceOnsetMs = 0 }: HeardText, words: WordMatch): Speaker {
  const { count, matched, leading, isAllMine } = words;
  if (count === 0) return CALLER;
  if (sound.whose === "mine") return { who: "agent", why: "own_voice" };
  // Words out of a sound in which no voice was to be heard: an echo so soft that only half of it is understood.
  if (sound.whose === "nobody" && matched * 2 >= count) return BY_WORDS;
  const hasEcho = sound.ownFrames >= ECHO_FRAMES;
  const isSomebodyThere = sound.whose === "theirs";
  const isBothSpeak = hasEcho && leading >= MIN_OWN_WORDS && leading < count;
  if (isBothSpeak && isSomebodyThere) return { who: "caller", skipWords: leading };
  // Text that may still grow is not taken for the caller's while all of it is the agent's.
  const fewest = isFinal ? MIN_OWN_WORDS : 1;
  const minWords = isSomebodyThere ? MIN_OWN_WORDS_BESIDE : fewest;
  if (isAllMine && count >= minWords && (hasEcho || !isSomebodyThere)) return BY_WORDS;
  if (isAllMine && echo === "likely") return BY_WORDS;
  // A loudspeaker may be switched on at any time.
  const isUnlikely = echo === "sought" && isSomebodyThere;
  // Words come later than their sound, in which an echo would be seen by then.
  const forMs = isUnlikely ? BEGINS_MS - sinceOnsetMs : DECIDED_MS;
  if (isAllMine && echo !== "settled" && forMs > 0) return { who: "undecided", forMs };
  return isBothSpeak ? { who: "caller", skipWords: leading } : CALLER;
}
