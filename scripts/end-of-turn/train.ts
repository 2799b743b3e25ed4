import type { Reader } from "@parley/media/end-of-turn/classifier/features.ts";
import { finishedBy, type Weights } from "@parley/media/end-of-turn/classifier/model.ts";
import { type Labeled, readHeldOut, readSentences, readWhole, type Sentence } from "./corpus.ts";
import { fitWeights } from "./fit.ts";
import { seeded } from "./random.ts";
import { examplesFor, type Row, rowsOf, rowsOfWhole, wholeTurnsOf } from "./rows.ts";

/** Share of corpus lines held out to measure a fit that has not seen them. */
const SET_ASIDE = 0.2;

/** A phrase above this counts as finished: the wait is short (`media/end-of-turn/end-of-turn.ts`). */
const FINISHED_ABOVE = 0.7;

/** Error rates of the weights. */
export interface Rates {
  readonly name: string;
  readonly unfinished: number;
  /** Share of unfinished phrases taken for finished: the caller is cut off. */
  readonly falseFinished: number;
  readonly finished: number;
  /** Share of finished phrases taken for unfinished: the caller waits. */
  readonly falseUnfinished: number;
}

const READERS: readonly Reader[] = ["en", "lists", "any"];

/** Weights of the whole corpus; deterministic. */
export function trainAll(): Record<Reader, Weights> {
  const rows = rowsOfAll(readSentences());
  const fitted = READERS.map((reader) => [reader, fitWeights(examplesFor(reader, rows))] as const);
  return Object.fromEntries(fitted) as Record<Reader, Weights>;
}

/** Rates on the held-out phrases, without punctuation and with the full stop some recognizers always append. */
export function ratesOfHeldOut(weights: Record<Reader, Weights>): Rates[] {
  const heldOut = readHeldOut();
  const stopped = heldOut.map(({ text, isFinished }) => ({ text: `${text}.`, isFinished }));
  return READERS.flatMap((reader) => [
    rates(`held out, ${reader}`, heldOut, { reader, weights: weights[reader] }),
    rates(`held out, ${reader}, each with a full stop`, stopped, { reader, weights: weights[reader] }),
  ]);
}

/** Rates on held-out lines, cut at every word, by weights fitted on the others. */
export function ratesOfLinesSetAside(): Rates[] {
  const sentences = readSentences();
  const kept = sentences.filter((sentence) => !isSetAside(sentence));
  const rows = rowsOfAll(kept);
  const wholeTurns = wholeTurnsOf(sentences);
  const aside = sentences
    .filter(isSetAside)
    .flatMap((sentence) => rowsOf(sentence, wholeTurns))
    .filter(isPlain);
  return (["en", "lists"] as const).map((reader) => {
    const weights = fitWeights(examplesFor(reader, rows));
    const own = aside.filter(({ language }) => (language === "en") === (reader === "en")).map(labeled);
    return rates(`lines set aside, ${reader}`, own, { reader, weights });
  });
}

function rowsOfAll(sentences: readonly Sentence[]): Row[] {
  const wholeTurns = wholeTurnsOf(sentences);
  const cut = sentences.flatMap((sentence) => rowsOf(sentence, wholeTurns));
  return [...cut, ...readWhole().flatMap(rowsOfWhole)];
}

function isSetAside({ line }: Sentence): boolean {
  return seeded(line)() < SET_ASIDE;
}

/** A row of bare words with a certain label. */
function isPlain({ text, target }: Row): boolean {
  return /[\p{L}\p{N}]$/u.test(text) && (target === 0 || target === 1);
}

function labeled({ text, target }: Row): Labeled {
  return { text, isFinished: target === 1 };
}

function rates(
  name: string,
  phrases: readonly Labeled[],
  { reader, weights }: { readonly reader: Reader; readonly weights: Weights },
): Rates {
  const taken = phrases.map(({ text, isFinished }) => ({
    isFinished,
    isTaken: finishedBy(weights, text, reader) >= FINISHED_ABOVE,
  }));
  const unfinished = taken.filter(({ isFinished }) => !isFinished);
  const finished = taken.filter(({ isFinished }) => isFinished);
  return {
    name,
    unfinished: unfinished.length,
    falseFinished: unfinished.filter(({ isTaken }) => isTaken).length / unfinished.length,
    finished: finished.length,
    falseUnfinished: finished.filter(({ isTaken }) => !isTaken).length / finished.length,
  };
}
