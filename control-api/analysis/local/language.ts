import type { WinkMethods } from "wink-nlp";

/** English, in steps: sentences, negation, sentiment, parts of speech. */
const STEPS = ["sbd", "negation", "sentiment", "pos"];

let loading: Promise<WinkMethods> | undefined;

/** The analyzer's language model, read from its package when it is needed first: a tenth of a second, and 20 MB. */
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
