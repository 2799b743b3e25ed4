import { PCM_RATE_HZ } from "@parley/media/pcm.ts";
import type { OutsideVoice } from "../sounds/voices.ts";

/** A word and when it is said, in ms from the utterance's first sample. */
export interface SpokenWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** What a caller says without giving up the floor. */
export interface Utterance {
  readonly text: string;
  readonly samples: Float32Array;
  readonly words: readonly SpokenWord[];
}

const QUESTIONS: readonly string[] = [
  "Do you have a table for two people tomorrow evening?",
  "What time does the kitchen close on Sunday night?",
  "Can you tell me how to get there by train?",
  "I need to change the address on my last order.",
  "How much does it cost to send a parcel abroad?",
  "Do you still offer swimming lessons for children?",
  "My invoice from March shows the wrong amount.",
  "Could you read me the list of vegetarian dishes?",
  "We would like to bring our dog to the hotel.",
  "Which of your shops is open during the holidays?",
];

/** A clearly unfinished phrase, and its continuation. */
const UNFINISHED: readonly (readonly [string, string])[] = [
  ["I would like to book a table for", "two people tomorrow evening."],
  ["Could you please tell me when the", "next train to London leaves?"],
  ["I am calling because my", "heating stopped working last night."],
  ["We need to change the date of our", "appointment to next Friday."],
  ["The number on the back of the card is", "seven four nine two."],
];

/** The question of a turn, the same in each run. */
export function askQuestion(voice: OutsideVoice, turn: number): Promise<Utterance> {
  const question = QUESTIONS[turn % QUESTIONS.length] ?? "";
  return spoken(voice, [question], 0);
}

/** A sentence in which the caller pauses to think for `pauseMs`. */
export function askWithPause(voice: OutsideVoice, turn: number, pauseMs: number): Promise<Utterance> {
  return spoken(voice, UNFINISHED[turn % UNFINISHED.length] ?? [], pauseMs);
}

async function spoken(voice: OutsideVoice, parts: readonly string[], pauseMs: number): Promise<Utterance> {
  const said = await Promise.all(parts.map((part) => voice.speak(part)));
  const pauseSamples = Math.round((pauseMs * PCM_RATE_HZ) / 1_000);
  const lengths = said.map(({ length }) => length);
  const samples = new Float32Array(
    lengths.reduce((sum, length) => sum + length + pauseSamples, -pauseSamples),
  );
  const words: SpokenWord[] = [];
  let at = 0;
  for (const [i, part] of said.entries()) {
    samples.set(part, at);
    const startMs = (at * 1_000) / PCM_RATE_HZ;
    words.push(...wordTimes(parts[i] ?? "", startMs, (part.length * 1_000) / PCM_RATE_HZ));
    at += part.length + pauseSamples;
  }
  return { text: parts.join(" "), samples, words };
}

/** Estimates each word's time by its share of characters: accurate to a syllable, and exact at the end. */
export function wordTimes(text: string, startMs: number, lastsMs: number): SpokenWord[] {
  const words = text.split(" ").filter((word) => word !== "");
  const share = lastsMs / words.reduce((sum, word) => sum + word.length + 1, 0);
  let atMs = startMs;
  return words.map((word) => {
    const from = atMs;
    atMs += (word.length + 1) * share;
    return { text: word, startMs: from, endMs: atMs };
  });
}

/** A text's words normalized for comparison: lower case, no punctuation. */
export function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}
