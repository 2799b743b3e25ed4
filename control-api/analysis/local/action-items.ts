import type { Sentence } from "./sentences.ts";

/** Matches what the agent promises to do after the call. */
const PROMISE =
  /\b(?:I|we|someone|somebody|(?:a|my|our|the) (?:colleague|team|technician|manager|specialist|driver|engineer))(?:['’]ll| will| am going to|['’]m going to| are going to|['’]re going to)\s+(?:also\s+|then\s+|now\s+)?(\w+)/i;
/** Matches what the caller asks to be done after the call. */
const REQUEST =
  /\b(?:please|can you|could you|would you|can someone|could someone)\s+(?:please\s+)?(?:call|ring|phone|email|e-mail|mail|text|send|ship|deliver|refund|cancel|schedule|book|arrange|remind)\b/i;
/** Verbs for what happens during the call, or is done by no one. */
const IN_THE_CALL = new Set(
  "be check look see put transfer connect help ask start begin just read repeat try need explain tell go take pull find have hold wait listen walk let say stay continue gladly happily never not".split(
    " ",
  ),
);
const MAX_ITEMS = 10;

/** The agent's promises and the caller's requests that outlive the call, verbatim. */
export function actionItemsOf(sentences: readonly Sentence[]): string[] {
  const items = sentences.filter(({ role, text }) =>
    role === "assistant" ? isPromise(text) : REQUEST.test(text),
  );
  return [...new Set(items.map(({ text }) => text.trim()))].slice(0, MAX_ITEMS);
}

function isPromise(text: string): boolean {
  const [, verb] = PROMISE.exec(text) ?? [];
  return verb !== undefined && !text.trimEnd().endsWith("?") && !IN_THE_CALL.has(verb.toLowerCase());
}
