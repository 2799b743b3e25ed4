import { describeDictation } from "../dictation.ts";
import { phrasesOf } from "../phrases.ts";
import { numberAtEnd } from "../whole-number.ts";
import { wordsOf } from "../words.ts";
import { englishTag, isKnownEnglish } from "./english-tags.ts";

/** The weights that read a text: English by word classes, `lists` by phrase lists, `any` by length and marks. */
export type Reader = "en" | "lists" | "any";

const UNFINISHED = phrasesOf("unfinished");
const FINISHED = phrasesOf("finished");
const ANSWERS = phrasesOf("answers");
const QUESTIONS = phrasesOf("questions");
const LONGEST_ENDING_WORDS = 4;
/** The number was said in full. */
export const WHOLE_NUMBER = "dictates whole number";
/** Classes that are not part of the sentence they precede. */
const LEAD_IN: ReadonlySet<string> = new Set(["filler", "please", "but", "conj"]);
const VERBS: ReadonlySet<string> = new Set([
  "be",
  "do",
  "have",
  "modal",
  "neg",
  "cop",
  "aux",
  "vcog",
  "vneed",
  "vcan",
  "ed",
]);
const SUBJECTS: ReadonlySet<string> = new Set(["i", "you", "cop", "aux"]);
const PRONOUNS: ReadonlySet<string> = new Set(["i", "you", "cop", "aux", "any", "there"]);
const PHRASE_STARTS: ReadonlySet<string> = new Set(["det", "her", "dem", "wh", "please"]);
const TAKES_OBJECT: ReadonlySet<string> = new Set([
  "prep",
  "in",
  "to",
  "vneed",
  "vcan",
  "be",
  "have",
  "ed",
  "ing",
  "particle",
]);
const INVERTED: ReadonlySet<string> = new Set(["be", "do", "have", "modal", "neg"]);

const MARKS: readonly (readonly [string, RegExp])[] = [
  ["asks", /[?？؟]["'”’»)\]」』]*$/u],
  ["trails", /(?:\.\.|…|[,;:،，、；：]|[-–—])["'”’»)\]」』]*$/u],
  ["stops", /[.!。！।॥۔]["'”’»)\]」』]*$/u],
];
const INNER_STOP = /[.?!。？！।]\s+(?=\S)/u;

/** The features of `text` that tell whether it is finished, each true or absent. Pure; takes a few µs. */
export function featuresOf(text: string, reader: Reader): readonly string[] {
  const trimmed = text.trim();
  const mark = MARKS.find(([, pattern]) => pattern.test(trimmed))?.[0] ?? "none";
  const words = wordsOf(trimmed);
  const last = wordsOf(trimmed.split(INNER_STOP).at(-1) ?? "");
  const sentence = last.length === 0 ? words : last;
  const common = [
    "bias",
    `mark ${mark}`,
    `length ${lengthOf(sentence)}`,
    `mark ${mark} ${lengthOf(sentence)}`,
  ];
  if (reader === "any") return common;
  const features = [...common, ...dictated(trimmed, words), ...fromLists(sentence, mark)];
  return reader === "en" ? [...features, ...fromEnglish(sentence, mark)] : features;
}

function dictated(text: string, words: readonly string[]): string[] {
  const number = numberAtEnd(text, words);
  if (number === "whole") return [WHOLE_NUMBER];
  if (number === "begun") return ["dictates number begun"];
  return describeDictation(words).map((sign) => `dictates ${sign}`);
}

function lengthOf({ length }: readonly string[]): string {
  if (length <= 4) return String(length);
  if (length <= 6) return "5";
  return length <= 9 ? "7" : "10";
}

function fromLists(words: readonly string[], mark: string): string[] {
  const phrase = words.join(" ");
  if (ANSWERS.has(phrase)) return ["answer"];
  const features: string[] = [];
  const isFinished = endings(words).some((ending) => FINISHED.has(ending));
  if (isFinished) features.push("ending");
  else if (UNFINISHED.has(words.at(-1) ?? "")) features.push("open", `open ${mark}`);
  else features.push(`closed ${mark}`);
  if (QUESTIONS.has(words[0] ?? "")) features.push(words.length < 3 ? "question short" : "question");
  return features;
}

function endings(words: readonly string[]): string[] {
  const longest = Math.min(LONGEST_ENDING_WORDS, words.length);
  return Array.from({ length: longest }, (_, index) => words.slice(words.length - 1 - index).join(" "));
}

function fromEnglish(words: readonly string[], mark: string): string[] {
  const tags: readonly string[] = words.map(englishTag);
  const [c = "start", b = "start", a = "start"] = tags.slice(-3).reverse();
  const last = words.at(-1) ?? "";
  const lead = tags.findIndex((tag) => !LEAD_IN.has(tag));
  const body = lead < 0 ? [] : tags.slice(lead);
  const opening = openingOf(body);
  const features = [`1 ${c}`, `2 ${b} ${c}`, `3 ${a} ${b} ${c}`, `first ${body[0] ?? "none"}`];
  features.push(`${opening} + ${c}`, `${opening} + ${b} ${c}`, `${mark} + ${c}`);
  if (isKnownEnglish(last)) features.push(`word ${last}`, `words ${words.at(-2) ?? "start"} ${last}`);
  const size = Math.min(body.length, 5);
  const clauses = `${opening} ${clausesOf(body)}`;
  features.push(`${clauses} ${size}`, `${clauses} ${verbsOf(body)}`, `${clauses} + ${c}`);
  features.push(`${opening} ${hasVerb(body) ? "verb" : "none"} + ${c}`);
  const denied = tags.slice(0, -1).some((tag) => tag === "neg" || tag === "not");
  if (denied) features.push(`not + ${c}`, `not + ${b} ${c}`);
  return features;
}

/** How a sentence begins: `wh` "where are", `asks` "do you", `sub` "when i", `i` "i would", else its first class. */
function openingOf([first = "start", second = "start"]: readonly string[]): string {
  if (first === "wh") return INVERTED.has(second) ? "wh asks" : "wh";
  if (first === "sub" && second !== "start") return INVERTED.has(second) ? "wh asks" : "sub";
  if (INVERTED.has(first)) return "asks";
  return SUBJECTS.has(first) ? "i" : "other";
}

/** Number of clauses, by possible subjects: "when i called they said" has two, "when i called yesterday" one. */
function clausesOf(tags: readonly string[]): number {
  const begun = tags.filter((tag, index) => {
    const before = tags[index - 1] ?? "start";
    if (PRONOUNS.has(tag)) return before !== "prep" && before !== "to";
    return PHRASE_STARTS.has(tag) && !TAKES_OBJECT.has(before);
  });
  return Math.min(3, begun.length);
}

/** Number of sentence verbs, without those of "to go". */
function verbsOf(tags: readonly string[]): number {
  const verbs = tags.filter((tag, index) => {
    const before = tags[index - 1] ?? "start";
    if (tag === "cop" || tag === "aux") return true;
    return VERBS.has(tag) && before !== "to" && before !== "det" && !VERBS.has(before);
  });
  return Math.min(3, verbs.length);
}

function hasVerb(tags: readonly string[]): boolean {
  return tags.some((tag) => VERBS.has(tag));
}
