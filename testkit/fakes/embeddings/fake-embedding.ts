import { createHash } from "node:crypto";
import { CONCEPTS } from "./concepts.ts";

const GRAM = 3;
/** How much the letters of a word count beside what it means. */
const LETTERS_SHARE = 0.35;
const ENDINGS = /(?:ings?|edly|ed|ies|es|s|ly|er|ers|ment|ments|ation|ations)$/;
const LEAST_STEM = 3;
const STOP_WORDS = new Set(
  "a an and are as at be been but by can could did do does for from had has have how i if in is it its may me much must my no not of on or our shall should so such than that the their them then there these they this to up us was we were what when where which while who whom whose why will with would you your".split(
    " ",
  ),
);

/** By stem, the name of the concept that a word stands for. */
const CONCEPT_OF = new Map(
  CONCEPTS.flatMap((words) => words.map((word): [string, string] => [stemOf(word), words[0] ?? word])),
);

/**
 * A stand-in for an embedding: a sum of a fixed direction for each word's concept (`concepts.ts`; a word of no concept is
 * its own) and one for each three letters of it. Deterministic; nothing is learned. A model's name turns all directions,
 * so that vectors of two models are unrelated.
 */
export function fakeEmbedding(
  text: string,
  { model, dimensions }: { readonly model: string; readonly dimensions: number },
): number[] {
  const sum = new Array<number>(dimensions).fill(0);
  const add = (feature: string, weight: number): void => {
    const hash = directionOf(`${model} ${feature}`);
    // Four places each, so that two features rarely fall on the same ones.
    for (let i = 0; i < 16; i += 4) {
      const place = hash.readUInt32LE(i) % dimensions;
      sum[place] = (sum[place] ?? 0) + ((hash[16 + i] ?? 0) % 2 === 0 ? weight : -weight);
    }
  };
  for (const word of wordsOf(text)) {
    const stem = stemOf(word);
    add(`concept ${CONCEPT_OF.get(stem) ?? stem}`, 1);
    const grams = gramsOf(stem);
    for (const gram of grams) add(`letters ${gram}`, LETTERS_SHARE / Math.sqrt(grams.length));
  }
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((value) => Number((value / length).toFixed(6)));
}

/** Texts repeat their words; beyond this many features, all are forgotten. */
const REMEMBERED = 100_000;
const directions = new Map<string, Buffer>();

function directionOf(feature: string): Buffer {
  const known = directions.get(feature);
  if (known) return known;
  const hash = createHash("sha256").update(feature).digest();
  if (directions.size >= REMEMBERED) directions.clear();
  directions.set(feature, hash);
  return hash;
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => !STOP_WORDS.has(word));
}

function stemOf(word: string): string {
  const stem = word.replace(ENDINGS, "");
  return stem.length >= LEAST_STEM ? stem.replace(/e$/, "") : word;
}

function gramsOf(stem: string): string[] {
  const padded = `^${stem}$`;
  return Array.from({ length: Math.max(1, padded.length - GRAM + 1) }, (_, i) => padded.slice(i, i + GRAM));
}
