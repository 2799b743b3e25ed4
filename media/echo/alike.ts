import { BIN_MS } from "./band-levels.ts";

/** How alike two envelopes are (correlation, 0 to 1), and for how long, before the sound counts as the agent's own. */

/** Envelopes this alike are one voice, after enough recent sound and frames in a row: two voices may begin alike. */
export const SAME_VOICE = 0.9;
export const SURE_BINS = 250 / BIN_MS;
export const SURE_FRAMES = 8;
/** Envelopes this alike may be an echo that has just begun, or one whose delay changed. */
export const MAYBE_SAME_VOICE = 0.65;
/** Envelopes this alike at one delay for long enough are a likely echo, sufficient if the words are the agent's too. */
export const LIKELY_SAME_VOICE = 0.8;
