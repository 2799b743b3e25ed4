import { isKnownEnglish } from "@parley/media/end-of-turn/classifier/english-tags.ts";
import { featuresOf, type Reader } from "@parley/media/end-of-turn/classifier/features.ts";
import { phrasesOf } from "@parley/media/end-of-turn/phrases.ts";
import type { Labeled, Sentence } from "./corpus.ts";
import { pick, seeded } from "./random.ts";

/** A training row and its weight. */
export interface Row {
  readonly text: string;
  /** 1 for a finished turn, 0 for one that goes on, in between where either is possible. */
  readonly target: number;
  readonly weight: number;
  readonly language: string;
}

/** At a resting place most callers are done. */
const RESTING_TARGET = 0.85;
const ANSWERS = phrasesOf("answers");
const INSIDE_PHRASE = 0.4;
const LEAD_INS = ["um", "well", "yeah", "so", "okay", "hi", "yes", "no", "uh"];
const TRAILING_FILLERS = ["um", "uh", "and", "so", "and um"];

/**
 * A sentence cut at every word, each piece as recognizers write it: without punctuation, with a full stop
 * before a pause, and with correct punctuation. A piece among `wholeTurns` may be finished there, too.
 */
export function rowsOf(sentence: Sentence, wholeTurns: ReadonlySet<string>): Row[] {
  const { words, language, isFinished, isQuestion } = sentence;
  const random = seeded(words.join(" "));
  const rows: Row[] = [];
  const add = (text: string, target: number, weight: number): void => {
    rows.push({ text, target, weight, language });
  };
  for (let count = 1; count <= words.length; count++) {
    const isWhole = count === words.length;
    const text = words.slice(0, count).join(" ");
    if (isWhole && isFinished) addFinished(text, isQuestion, add);
    else if (ANSWERS.has(text)) addFinished(text, false, add);
    else if (isResting(sentence, count, wholeTurns)) addResting(text, add);
    else addUnfinished(text, isWhole ? 1 : weightOfCut(words, count), { add, random });
    if (isWhole && isFinished && language === "en") {
      add(`${pick(LEAD_INS, random)} ${text}`, 1, 0.5);
      add(`${text} ${pick(TRAILING_FILLERS, random)}`, 0, 0.5);
    }
  }
  return rows;
}

function isResting(
  { restingPlaces, words, isFinished }: Sentence,
  count: number,
  wholeTurns: ReadonlySet<string>,
): boolean {
  if (restingPlaces.includes(count)) return true;
  return isFinished && wholeTurns.has(words.slice(0, count).join(" "));
}

/** Callers pause after function words, rarely inside "my bank / card": a cut after any other word counts less. */
function weightOfCut(words: readonly string[], count: number): number {
  const isSmall = isKnownEnglish(words[count - 1] as string);
  return (isSmall ? 1 : INSIDE_PHRASE) / Math.sqrt(words.length);
}

/** An uncut phrase, as recognizers write it. */
export function rowsOfWhole({ text, isFinished }: Labeled): Row[] {
  const rows: Row[] = [];
  const add: Add = (said, target, weight) => rows.push({ text: said, target, weight, language: "en" });
  if (isFinished) addFinished(text, false, add);
  else addUnfinished(text, 1, { add, random: seeded(text) });
  return rows;
}

type Add = (text: string, target: number, weight: number) => unknown;

function addFinished(text: string, isQuestion: boolean, add: Add): void {
  add(text, 1, 1);
  add(`${text}.`, 1, 0.4);
  add(`${text}${isQuestion ? "?" : "."}`, 1, 0.4);
}

function addResting(text: string, add: Add): void {
  add(text, RESTING_TARGET, 0.5);
  add(`${text}.`, RESTING_TARGET, 0.3);
  add(`${text},`, 0, 0.2);
}

function addUnfinished(
  text: string,
  weight: number,
  { add, random }: { add: Add; random: () => number },
): void {
  add(text, 0, weight);
  add(`${text}.`, 0, 0.4 * weight);
  add(`${text}${pick([",", "...", "…", " -"], random)}`, 0, 0.3 * weight);
  add(`${text}?`, 0, 0.03 * weight);
}

/** Everything in the corpus that is a turn by itself. */
export function wholeTurnsOf(sentences: readonly Sentence[]): ReadonlySet<string> {
  const finished = sentences.filter(({ isFinished }) => isFinished).map(({ words }) => words.join(" "));
  return new Set(finished);
}

/** A row as the trainer takes it. */
export interface Example {
  readonly features: readonly string[];
  readonly target: number;
  readonly weight: number;
}

/** English is most of the corpus; the other sets learn from a part of it, which counts no more than the rest. */
const ENGLISH_SHARE = 6;

/** Rows that one set of weights learns from: English its own, the others some of all. */
export function examplesFor(reader: Reader, rows: readonly Row[]): Example[] {
  const english = rows.filter(({ language }) => language === "en");
  if (reader === "en") return english.map((row) => exampleOf(row, reader));
  const some = english.filter((_row, index) => index % ENGLISH_SHARE === 0);
  const others = rows.filter(({ language }) => language !== "en");
  const factor = some.length / Math.max(1, others.length);
  const heavier = others.map((row) => ({ ...row, weight: row.weight * factor }));
  return [...some, ...heavier].map((row) => exampleOf(row, reader));
}

function exampleOf({ text, target, weight }: Row, reader: Reader): Example {
  return { features: featuresOf(text, reader), target, weight };
}
