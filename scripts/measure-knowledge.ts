/**
 * Measures how often a search finds the passage that answers a question: 200 questions over ten documents of a hundred
 * passages (testkit/known-questions), by words, by vectors, and by both. The vectors are those of the fake service
 * (testkit/fakes/embeddings), unless EMBEDDINGS_URL and its like name another. Updates the table in docs/knowledge.md.
 *
 * Usage: node scripts/measure-knowledge.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadConfig } from "@parley/shared/config/config.ts";
import { startFakeEmbeddings } from "../testkit/fakes/embeddings/fake-embeddings.ts";
import { type Found, KnownBase, type Way } from "../testkit/known-base.ts";
import { KNOWN_QUESTIONS } from "../testkit/known-questions/read.ts";

const PAGE = join(resolve(import.meta.dirname, ".."), "docs/knowledge.md");
const BEGIN = "<!-- recall: begin (node scripts/measure-knowledge.ts) -->";
const END = "<!-- recall: end -->";
const WAYS: readonly Way[] = ["words", "vectors", "both"];
const AT = [1, 5];

const fake = process.env.EMBEDDINGS_URL === undefined ? await startFakeEmbeddings() : undefined;
const { embeddings: service } = loadConfig(
  fake
    ? {
        EMBEDDINGS_URL: fake.url,
        EMBEDDINGS_MODEL: "fake",
        EMBEDDINGS_DIMENSIONS: "256",
        EMBEDDINGS_MIN_SIMILARITY: "0.1",
      }
    : process.env,
);
if (!service) throw new Error("there is no embeddings service");
const base = await KnownBase.open(service);
const places = new Map<Way, Found[]>();
for (const way of WAYS) places.set(way, await base.ask(way, KNOWN_QUESTIONS));
await base.close();
await fake?.close();

const table = [
  `| | first of all | among five | no answer at all |`,
  "|---|---|---|---|",
  ...WAYS.map((way) => `| ${labelOf(way)} | ${shown(way).join(" | ")} |`),
].join("\n");
console.log(table);
if (fake) {
  const [before, rest = ""] = readFileSync(PAGE, "utf8").split(BEGIN);
  const [, after = ""] = rest.split(END);
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
}

function labelOf(way: Way): string {
  return { words: "words", vectors: `vectors of \`${service?.model}\``, both: "both" }[way];
}

function shown(way: Way): string[] {
  const found = places.get(way) ?? [];
  const share = (count: number) => `${Math.round((100 * count) / found.length)} %`;
  return [
    ...AT.map((at) => share(found.filter(({ place }) => place !== undefined && place <= at).length)),
    share(found.filter(({ passages }) => passages === 0).length),
  ];
}
