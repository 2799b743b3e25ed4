import type { SoundOrigin } from "@parley/media/echo/own-sound.ts";
import type { WordMatch } from "@parley/media/echo/own-words.ts";

/** Why a text is the agent's own: by its sound, or by its words where the sound does not tell. */
export type OwnReason = "own_voice" | "own_words";

export type Speaker =
  | { readonly who: "agent"; readonly why: OwnReason }
  /** `skipWords`: so many words at the beginning are the agent's, and the caller's follow. */
  | { readonly who: "caller"; readonly skipWords: number };

/** Fewer words of the agent's in a row are a caller who asks back: "Tuesday?", "at ten?". */
const MIN_OWN_WORDS = 3;
/** The same when somebody was heard beside the echo: a cough, or a caller who asks back at length. */
const MIN_OWN_WORDS_BESIDE = 4;
/** So many frames of 20 ms were the agent's own voice: its words are to be expected in the text. */
const ECHO_FRAMES = 10;

const CALLER: Speaker = { who: "caller", skipWords: 0 };

/**
 * Who said a text that was recognised: the agent, come back by an echo, or the caller. The sound decides where it is clear;
 * the words decide where it is not, and part a text in which both are (docs/decisions.md, "Calls and turns").
 */
export function speakerOf(sound: SoundOrigin, words: WordMatch, isFinal: boolean): Speaker {
  const { count, leading, isAllMine } = words;
  if (count === 0) return CALLER;
  if (sound.whose === "mine") return { who: "agent", why: "own_voice" };
  const hasEcho = sound.ownFrames >= ECHO_FRAMES;
  const isSomebodyThere = sound.whose === "theirs";
  const isBothSpeak = hasEcho && leading >= MIN_OWN_WORDS && leading < count;
  if (isBothSpeak && isSomebodyThere) return { who: "caller", skipWords: leading };
  // Text that may still grow is not taken for the caller's while all of it is the agent's.
  const fewest = isFinal ? MIN_OWN_WORDS : 1;
  const minWords = isSomebodyThere ? MIN_OWN_WORDS_BESIDE : fewest;
  if (isAllMine && count >= minWords && (hasEcho || !isSomebodyThere))
    return { who: "agent", why: "own_words" };
  return isBothSpeak ? { who: "caller", skipWords: leading } : CALLER;
}
