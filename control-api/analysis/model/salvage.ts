import { jsonIn } from "@parley/shared/brain/model/ask-json.ts";
import { REPLY_KEYS, type Reply, SENTIMENTS } from "./reply.ts";

/** What a model may write, where JSON has no word for it. */
const NO_NUMBER = /([:[,]\s*)(?:NaN|-?Infinity)(?=\s*[,}\]])/g;
const NUMERIC = /^[+-]?\d+(?:\.\d+)?$/;
const YES = /^(?:true|yes|met)$/i;
const NO = /^(?:false|no|not met)$/i;

/** What a reply has, by its own names and those of `call.analyzed`; an object with none of them is something else. */
const KNOWN: ReadonlySet<string> = new Set([...REPLY_KEYS, "customData", "qa"]);
/** Parts of an analysis that are objects. */
const OBJECTS: ReadonlySet<string> = new Set(["cx", "fields", "criteria", "customData", "evidence"]);

type Found = Reply["fields"][string];
type Met = Reply["criteria"][string];

/**
 * The usable part of a malformed reply; undefined when it has no object with anything of a reply. Takes what models write
 * instead: words around the object, an object around it, numbers as text, a text for a list of one, values without a
 * quote, and the names of `call.analyzed`.
 */
export function salvageReply(content: string): Reply | undefined {
  const json = objectIn(content);
  if (json === undefined) return undefined;
  const cx = objectOr(json.cx);
  const evidence = objectOr(json.evidence);
  return {
    summary: textOf(json.summary),
    sentiment: SENTIMENTS.find((known) => known === textOf(json.sentiment)?.trim().toLowerCase()) ?? null,
    sentimentScore: numberOf(json.sentimentScore),
    sentimentQuote: textOf(json.sentimentQuote ?? evidence.sentiment),
    disposition: textOf(json.disposition),
    dispositionQuote: textOf(json.dispositionQuote ?? evidence.disposition),
    score: numberOf(json.score),
    actionItems: textsIn(json.actionItems),
    objections: textsIn(json.objections),
    coaching: textsIn(json.coaching),
    hallucinations: textsIn(json.hallucinations),
    topics: textsIn(json.topics),
    keywords: textsIn(json.keywords),
    cx: {
      rating: numberOf(cx.rating),
      friction: textsIn(cx.friction),
      highlights: textsIn(cx.highlights),
    },
    fields: byKey(json.fields ?? json.customData, (entry, key) => foundIn(entry, evidence[key])),
    criteria: byKey(json.criteria ?? json.qa, metIn),
  };
}

type Json = Readonly<Record<string, unknown>>;

function objectIn(content: string): Json | undefined {
  const inner = content.slice(content.indexOf("{"), content.lastIndexOf("}") + 1);
  for (const text of [content, inner, inner.replace(NO_NUMBER, "$1null")]) {
    const json = jsonIn(text);
    if (!isObject(json)) continue;
    const [only, ...others] = Object.entries(json);
    const isAround = others.length === 0 && only !== undefined && !OBJECTS.has(only[0]) && isReply(only[1]);
    const found = isAround ? only[1] : json;
    if (isReply(found)) return found;
  }
  return undefined;
}

function isReply(value: unknown): value is Json {
  return isObject(value) && Object.keys(value).some((key) => KNOWN.has(key));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOr(value: unknown): Json {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A text, number or truth as a text; empty for anything else, which may throw when it is made one. */
function plainText(value: unknown): string {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value).trim() : "";
}

function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && NUMERIC.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** The texts of a list, or the only one; of an object in a list, those that it has. */
function textsIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [textOf(value)];
  return items.flatMap((item: unknown) => {
    const texts = isObject(item) ? Object.values(item) : [item];
    const said = texts.filter((text): text is string => typeof text === "string" && text !== "");
    return said.length === 0 ? [] : [said.join(": ")];
  });
}

/** Entries by key, also of a list whose entries have their `key`. */
function byKey<T>(value: unknown, read: (entry: unknown, key: string) => T | undefined): Record<string, T> {
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.filter(isObject).map((entry) => [plainText(entry.key), entry])
    : Object.entries(objectOr(value));
  return Object.fromEntries(
    entries.flatMap(([key, entry]) => {
      const found = key === "" ? undefined : read(entry, key);
      return found === undefined ? [] : [[key, found]];
    }),
  );
}

function foundIn(entry: unknown, evidence: unknown): Found | undefined {
  const { value, quote = evidence } = isObject(entry) ? entry : { value: entry };
  const isPlain = value === null || ["string", "boolean"].includes(typeof value) || numberOf(value) !== null;
  return isPlain ? { value: value as Found["value"], quote: textOf(quote) } : undefined;
}

function metIn(entry: unknown): Met | undefined {
  const { met, quote, evidence } = isObject(entry) ? entry : { met: entry };
  const said = plainText(met);
  if (!YES.test(said) && !NO.test(said)) return undefined;
  return { met: YES.test(said), quote: textOf(quote ?? evidence) };
}
