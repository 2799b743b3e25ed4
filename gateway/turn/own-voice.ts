import type { SoundOrigin } from "@parley/media/echo/own-sound.ts";
import type { WordMatch } from "@parley/media/echo/own-words.ts";

/** Why a text counts as the agent's own: by its sound or, if the sound is inconclusive, by its words. */
export type OwnReason = "own_voice" | "own_words";

/**
 * `undecided`: the agent's words before an echo is confirmed or ruled out; wait at most `forMs` to find out. With
 * `theirFrames`: beside a caller over a known echo; they are the caller's once so much of their voice was heard.
 */
export type Speaker =
  | { readonly who: "undecided"; readonly forMs: number; readonly theirFrames?: number }
  | { readonly who: "agent"; readonly why: OwnReason }
  /** `skipWords`: how many leading words are the agent's; the caller's follow. */
  | { readonly who: "caller"; readonly skipWords: number };

/** A shorter run of the agent's words is a caller who asks back: "Tuesday?", "at ten?". */
const MIN_OWN_WORDS = 3;
/** Replaces `MIN_OWN_WORDS` if a sound was heard beside the echo: a cough, or a caller who asks back at length. */
const MIN_OWN_WORDS_BESIDE = 4;
/** So many 20 ms frames of the caller's voice in one stretch are more than a listener's "uh-huh". */
const MORE_THAN_LISTENING_FRAMES = 18;
/** After this many 20 ms frames of the agent's own voice, its words are expected in the text. */
const ECHO_FRAMES = 10;

/** An echo is found or ruled out within this long after it began. */
export const DECIDED_MS = 700;
/** A new echo begins to show within this long after it began. */
const BEGINS_MS = 300;

/** The whole text is the caller's. */
export const CALLER: Speaker = { who: "caller", skipWords: 0 };
const BY_WORDS: Speaker = { who: "agent", why: "own_words" };

/** How a text was heard. */
export interface HeardText {
  readonly sound: SoundOrigin;
  readonly isFinal: boolean;
  /**
   * `sought`: an echo is not yet confirmed or ruled out; `suspected`: the incoming sound resembles the agent's voice,
   * on a line without an echo so far; `likely`: it does so for long, and much; `settled`: none of these.
   */
  readonly echo: "settled" | "sought" | "suspected" | "likely";
  /** True while an echo is known. */
  readonly isEchoing?: boolean;
  /** How long ago the sound began, on a line where nothing of the agent was heard just before. */
  readonly sinceOnsetMs?: number;
}

/** True if words are a run of the agent's that no caller asks back with. */
export function isOwnRun({ count, isAllMine }: WordMatch): boolean {
  return isAllMine && count >= MIN_OWN_WORDS;
}

/**
 * Decides who said a recognized text: the agent, returned as an echo, or the caller. The sound decides if it is clear;
 * otherwise the words do, and they split a text that contains both
 * (docs/decisions/turns.md#agents-own-voice-told-from).
 */
export function speakerOf(
  { sound, isFinal, echo, isEchoing = false, sinceOnsetMs = 0 }: HeardText,
  words: WordMatch,
): Speaker {
  const { count, matched, leading, isAllMine, continues } = words;
  if (count === 0) return CALLER;
  if (sound.whose === "mine") return { who: "agent", why: "own_voice" };
  // Words from a sound without an audible voice: an echo so soft that only half of it is understood.
  if (sound.whose === "nobody" && matched * 2 >= count) return BY_WORDS;
  const hasEcho = sound.ownFrames >= ECHO_FRAMES;
  const isSomebodyThere = sound.whose === "theirs";
  const isBothSpeak = hasEcho && leading >= MIN_OWN_WORDS && leading < count;
  if (isBothSpeak && isSomebodyThere) return { who: "caller", skipWords: leading };
  // Where a caller is heard, one or two such words may be theirs ("What", "We"): then their voice lasts, or they go on.
  if (isEchoing && continues === count) {
    if (!isSomebodyThere || count >= MIN_OWN_WORDS) return BY_WORDS;
    const theirFrames = MORE_THAN_LISTENING_FRAMES;
    if (sound.theirFrames < theirFrames) return { who: "undecided", forMs: DECIDED_MS, theirFrames };
  }
  // Text that may still grow does not count as the caller's while all of it is the agent's, nor a word of a known echo's.
  const fewest = isFinal && !isEchoing ? MIN_OWN_WORDS : 1;
  const minWords = isSomebodyThere ? MIN_OWN_WORDS_BESIDE : fewest;
  if (isAllMine && count >= minWords && (hasEcho || !isSomebodyThere)) return BY_WORDS;
  if (isAllMine && echo === "likely") return BY_WORDS;
  // A loudspeaker may be switched on at any time.
  const isUnlikely = echo === "sought" && isSomebodyThere;
  // Words come later than their sound, by which time an echo would be visible.
  const forMs = isUnlikely ? BEGINS_MS - sinceOnsetMs : DECIDED_MS;
  if (isAllMine && echo !== "settled" && forMs > 0) return { who: "undecided", forMs };
  return isBothSpeak ? { who: "caller", skipWords: leading } : CALLER;
}
