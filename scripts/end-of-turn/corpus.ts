import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pick, seeded } from "./random.ts";

const CORPUS = join(import.meta.dirname, "../../media/end-of-turn/classifier/corpus");
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const SPOKEN_DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/** How often each line with slots is filled. */
const FILLINGS = 3;

/** A sentence of the corpus with its slots filled. */
export interface Sentence {
  /** The source line: rows of one line never fall on both sides of a split. */
  readonly line: string;
  readonly language: string;
  readonly words: readonly string[];
  /** Word counts after which the turn may already be over. */
  readonly restingPlaces: readonly number[];
  /** The last word ends a turn; otherwise the caller always goes on. */
  readonly isFinished: boolean;
  readonly isQuestion: boolean;
}

/** Every sentence for training, or held out by its line. */
export function readSentences(): Sentence[] {
  const slots = readSlots();
  return ["english.txt", "english-clauses.txt", "english-templates.txt", "others.txt"].flatMap((file) => {
    let language = "en";
    return linesOf(file).flatMap(({ line, comment }) => {
      const named = comment?.match(/^language: (\w+)$/)?.[1];
      if (named !== undefined) language = named;
      return line === undefined ? [] : fill(line, slots).map((text) => sentenceOf(line, text, language));
    });
  });
}

/** A phrase with its label. */
export interface Labeled {
  readonly text: string;
  readonly isFinished: boolean;
}

/** Phrases that are never trained on. */
export function readHeldOut(): Labeled[] {
  return readLabeled("held-out.txt");
}

/** Training phrases that are not cut. */
export function readWhole(): Labeled[] {
  return readLabeled("labeled.txt");
}

function readLabeled(file: string): Labeled[] {
  return linesOf(file).flatMap(({ line }) =>
    line === undefined ? [] : [{ text: line.slice(2), isFinished: line.startsWith("+") }],
  );
}

function linesOf(file: string): { line?: string; comment?: string }[] {
  const lines = readFileSync(join(CORPUS, file), "utf8").split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => (line.startsWith("#") ? { comment: line.slice(1).trim() } : { line: line.trim() }));
}

function readSlots(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    linesOf("slots.txt").flatMap(({ line }) => {
      const [name, values] = line?.split(": ") ?? [];
      return name === undefined || values === undefined ? [] : [[name, values.split("|")] as const];
    }),
  );
}

function fill(line: string, slots: ReadonlyMap<string, readonly string[]>): string[] {
  if (!line.includes("{")) return [line];
  return Array.from({ length: FILLINGS }, (_, index) => {
    const random = seeded(`${line} ${index}`);
    const replace = (text: string): string =>
      text.replace(/\{([a-z]+)(\d*)\}/g, (_whole, name: string, count: string) => {
        if (name === "digits") return digits(Number(count), random);
        if (name === "letter") return pick(LETTERS, random);
        if (name === "letters")
          return Array.from({ length: 4 + Math.floor(random() * 4) }, () => pick(LETTERS, random)).join(" ");
        const values = slots.get(name);
        if (values === undefined) throw new Error(`No such slot in slots.txt: ${name}`);
        return replace(pick(values, random));
      });
    return replace(line);
  });
}

/** Digits spoken singly, in groups or at once: recognizers write all three. */
function digits(count: number, random: () => number): string {
  const all = Array.from({ length: count }, () => Math.floor(random() * 10));
  const style = random();
  if (style < 0.5) return all.map((digit) => SPOKEN_DIGITS[digit]).join(" ");
  if (style < 0.85) return (all.join("").match(/.{1,3}(?!.$)|.+/g) ?? []).join(" ");
  return all.join(" ");
}

function sentenceOf(line: string, text: string, language: string): Sentence {
  const isFinished = !text.endsWith("…");
  const isQuestion = text.endsWith("?");
  const parts = text.replace(/[…?]$/, "").replace(/^¿/, "").split("|");
  const words = parts.flatMap((part) => part.trim().split(/\s+/));
  const restingPlaces: number[] = [];
  let count = 0;
  for (const part of parts.slice(0, -1)) {
    count += part.trim().split(/\s+/).length;
    restingPlaces.push(count);
  }
  return { line, language, words, restingPlaces, isFinished, isQuestion };
}
