import type { WinkMethods } from "wink-nlp";

/** The English pipeline: sentences, negation, sentiment, parts of speech. */
const STEPS = ["sbd", "negation", "sentiment", "pos"];

let loading: Promise<WinkMethods> | undefined;

/** Loads the analyzer's language model on first use: a tenth of a second, and 20 MB. */
export function loadLanguage(): Promise<WinkMethods> {
  loading ??= load();
  return loading;
}

async function load(): Promise<WinkMethods> {
  const [{ default: winkNLP }, { default: model }] = await Promise.all([
    import("wink-nlp"),
    import("wink-eng-lite-web-model"),
  ]);
  return winkNLP(model, STEPS);
}
