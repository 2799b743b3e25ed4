import type { Asked, CallRecord } from "../callers/call-record.ts";
import { plainWords } from "../callers/questions.ts";

/** Results of one row of the matrix. */
export interface RoomFigures {
  readonly asked: number;
  readonly answered: number;
  /** Times the agent was heard before the caller had finished. */
  readonly cutOff: number;
  /** Answers stopped or held for something other than the caller's words. */
  readonly stopped: number;
  /** Requests to the brain for text that no caller said. */
  readonly ghosts: number;
  /** Questions sent to the brain again with nothing new. */
  readonly askedTwice: number;
  /** Silence per question: before its answer, and in its gaps. */
  readonly deadAirS: number;
  /** Word error rate of the brain's requests, 0 to 1. */
  readonly wordsLost: number;
  /** From the caller's last word to the audible answer. */
  readonly responseP50Ms: number;
  readonly responseP95Ms: number;
  /** From the caller's last word to the end-of-turn decision. */
  readonly turnEndP95Ms: number;
  /** Until anything was heard: the answer, or a filler line. */
  readonly anythingP95Ms: number;
  /** Questions asked over an answer; absent where there are none. */
  readonly interruptions?: number;
  /** Interruptions that silenced the agent, and the delay after the caller's first word. */
  readonly interrupted?: number;
  readonly stopP50Ms?: number;
  readonly stopP90Ms?: number;
  /** Errors the gateway reported. */
  readonly problems: readonly string[];
}

/** Shares of words above which a request is about a question, or repeats it. */
const ABOUT = 0.34;
const REPEATED = 0.6;

/** Counts one row's records. `isExact`: the recognizer makes no errors. */
export function figuresOf(records: readonly CallRecord[], isExact: boolean): RoomFigures {
  const scored = records.map((record) => scoreCall(record, isExact));
  const questions = scored.flatMap(({ questions: all }) => all);
  const responses = questions.flatMap(({ responseMs }) => responseMs ?? []);
  const share = (pick: (question: QuestionScore) => number): number =>
    questions.length === 0
      ? 0
      : questions.reduce((sum, question) => sum + pick(question), 0) / questions.length;
  return {
    asked: questions.length,
    answered: responses.length,
    cutOff: questions.filter(({ asked }) => asked.wasCutOff).length,
    stopped: questions.reduce((sum, { asked }) => sum + asked.stops, 0),
    ghosts: scored.reduce((sum, { ghosts }) => sum + ghosts, 0),
    askedTwice: questions.filter(({ wasAskedTwice }) => wasAskedTwice).length,
    deadAirS: share(({ asked }) => asked.silentMs) / 1_000,
    wordsLost: share(({ wordErrors }) => wordErrors),
    responseP50Ms: quantile(responses, 0.5),
    responseP95Ms: quantile(responses, 0.95),
    turnEndP95Ms: quantile(
      questions.flatMap(({ turnEndMs }) => turnEndMs ?? []),
      0.95,
    ),
    anythingP95Ms: quantile(
      questions.flatMap(({ anythingMs }) => anythingMs ?? []),
      0.95,
    ),
    ...interruptionsOf(questions.map(({ asked }) => asked)),
    problems: [...new Set(records.flatMap(({ problems }) => problems))],
  };
}

function interruptionsOf(questions: readonly Asked[]): Partial<RoomFigures> {
  const interruptions = questions.filter(({ isInterruption }) => isInterruption);
  if (interruptions.length === 0) return {};
  const stops = interruptions.flatMap(({ stoppedAfterMs }) => stoppedAfterMs ?? []);
  return {
    interruptions: interruptions.length,
    interrupted: stops.length,
    stopP50Ms: quantile(stops, 0.5),
    stopP90Ms: quantile(stops, 0.9),
  };
}

interface QuestionScore {
  readonly asked: Asked;
  readonly responseMs: number | undefined;
  readonly turnEndMs: number | undefined;
  readonly anythingMs: number | undefined;
  readonly wasAskedTwice: boolean;
  readonly wordErrors: number;
}

function scoreCall(record: CallRecord, isExact: boolean): { questions: QuestionScore[]; ghosts: number } {
  const about = record.requests.map(({ atMs, query }) => {
    const asked = record.questions.findLast(({ startedAtMs }) => startedAtMs <= atMs);
    const said = plainWords(query);
    const isAbout = asked && (!isExact || shareIn(said, plainWords(asked.utterance.text)) >= ABOUT);
    return isAbout ? asked : undefined;
  });
  const questions = record.questions.map((asked) => {
    const queries = record.requests
      .filter((_, i) => about[i] === asked)
      .map(({ query }) => plainWords(query));
    return scoreQuestion(asked, queries, record);
  });
  return { questions, ghosts: about.filter((asked) => asked === undefined).length };
}

function scoreQuestion(asked: Asked, queries: readonly string[][], record: CallRecord): QuestionScore {
  const words = plainWords(asked.utterance.text);
  const { wordsEndedAtMs: endMs, answeredAtMs } = asked;
  const responseMs = endMs === undefined || answeredAtMs === undefined ? undefined : answeredAtMs - endMs;
  const firstMs = record.heard.find(({ atMs }) => endMs !== undefined && atMs > endMs)?.atMs;
  return {
    asked,
    responseMs,
    turnEndMs: turnEndOf(asked, record.decidedAtMs),
    anythingMs: firstMs === undefined || endMs === undefined ? undefined : firstMs - endMs,
    wasAskedTwice: queries.some((query, i) => isRepetition(query, queries.slice(0, i), words)),
    wordErrors: words.length === 0 ? 0 : Math.min(1, editDistance(words, lastAsked(queries)) / words.length),
  };
}

/** The end-of-turn decision behind the heard answer. */
function turnEndOf({ startedAtMs, wordsEndedAtMs, answeredAtMs }: Asked, decidedAtMs: readonly number[]) {
  if (wordsEndedAtMs === undefined || answeredAtMs === undefined) return undefined;
  const decided = decidedAtMs.findLast((atMs) => atMs >= startedAtMs && atMs <= answeredAtMs);
  return decided === undefined ? undefined : Math.max(0, decided - wordsEndedAtMs);
}

/** Has most of the question's words, and none that earlier requests lacked. */
function isRepetition(
  query: readonly string[],
  earlier: readonly string[][],
  words: readonly string[],
): boolean {
  return shareIn(words, query) >= REPEATED && earlier.some((other) => shareIn(query, other) === 1);
}

/** The brain's effective requests: one that is only the beginning of a later one was replaced. */
function lastAsked(queries: readonly string[][]): string[] {
  const whole = queries.filter((query, i) => {
    const later = queries.slice(i + 1);
    return !later.some((other) => query.every((word, at) => other[at] === word));
  });
  return whole.flat();
}

/** The share of `words` that is in `others`. */
function shareIn(words: readonly string[], others: readonly string[]): number {
  return words.length === 0 ? 0 : words.filter((word) => others.includes(word)).length / words.length;
}

function editDistance(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, i) => i + 1);
  for (const [i, word] of a.entries()) {
    let [left, above] = [i + 1, i];
    row = b.map((other, j) => {
      const up = row[j] ?? 0;
      const cost = Math.min(left + 1, up + 1, above + (word === other ? 0 : 1));
      [left, above] = [cost, up];
      return cost;
    });
  }
  return b.length === 0 ? a.length : (row.at(-1) ?? 0);
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0);
}
