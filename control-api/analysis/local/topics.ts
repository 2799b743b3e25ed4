import type { Sentence } from "./sentences.ts";

const MAX_KEYWORDS = 10;
const MAX_TOPICS = 5;
/** Words of every call that no call is about. */
const COURTESY = new Set(
  "thanks thank hello hi hey bye goodbye sorry please yes no okay ok yeah sure moment minute second thing bit lot way one name day today".split(
    " ",
  ),
);

/** Nouns by frequency; ties go to the earlier one. */
export function keywordsOf(sentences: readonly Sentence[]): string[] {
  const nouns = sentences.flatMap(({ words }) =>
    words
      .filter(({ isNoun, isStopWord, lemma }) => isNoun && !isStopWord && isTelling(lemma))
      .map(({ lemma }) => lemma),
  );
  return mostFrequent(nouns).slice(0, MAX_KEYWORDS);
}

/** Two-word terms (a noun and the word before it); repeated single nouns where there are none. */
export function topicsOf(sentences: readonly Sentence[]): string[] {
  const pairs: string[] = [];
  const nouns: string[] = [];
  for (const { words } of sentences) {
    for (const [index, word] of words.entries()) {
      if (!word.isNoun || !isTelling(word.lemma)) continue;
      nouns.push(word.lemma);
      const before = words[index - 1];
      const describes = before && (before.isNoun || before.isAdjective) && !before.isStopWord;
      if (describes && isTelling(before.lemma)) pairs.push(`${before.lemma} ${word.lemma}`);
    }
  }
  const counts = Map.groupBy(nouns, (noun) => noun);
  const repeated = mostFrequent(nouns).filter((noun) => (counts.get(noun)?.length ?? 0) > 1);
  const named = mostFrequent(pairs).slice(0, MAX_TOPICS);
  const rest = repeated.filter((noun) => !named.some((pair) => pair.split(" ").includes(noun)));
  return [...named, ...rest].slice(0, MAX_TOPICS);
}

function isTelling(lemma: string): boolean {
  return lemma.length > 2 && !COURTESY.has(lemma) && !/\d/.test(lemma);
}

function mostFrequent(words: readonly string[]): string[] {
  const counts = Map.groupBy(words, (word) => word);
  return [...counts].toSorted(([, one], [, other]) => other.length - one.length).map(([word]) => word);
}
