/**
 * Weighs the scripts each page of the built dashboard loads when opened, as sent over the wire (gzip), and fails when
 * one exceeds its budget. Code loaded later, by a press of a button, does not count.
 *
 * Usage: node scripts/weigh-pages.ts [folder of the build]
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const KB = 1024;
const SIGN_IN_KB = 60;
const PAGE_KB = 180;
/**
 * The flow builder is an editor that people open on purpose, in a section of the agent's page. Its drawing library
 * alone is a quarter of a page's budget, and no page has it.
 */
const FLOW_BUILDER_KB = 230;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

const dist = resolve(process.argv[2] ?? join(import.meta.dirname, "../dashboard/dist"));
const app = read(".vite/app.json");
/** Loaded for every page: the first script, and what it starts. */
const SHELL = ["app.html", "app/start.tsx"];
const pages = [...reached(app, ["app.html"])]
  .flatMap((key) => app[key]?.dynamicImports ?? [])
  .filter((page) => page.endsWith("-page.tsx"))
  .toSorted();
if (pages.length === 0)
  throw new Error(`${dist} has no pages: was it built, and does app/main.ts import them?`);

const weighed = [
  { name: "sign-in", bytes: weigh(read(".vite/sign-in.json"), ["sign-in.html"]), budgetKb: SIGN_IN_KB },
  { name: "talk", bytes: weigh(app, withFirst("talk.html")), budgetKb: PAGE_KB },
  {
    name: "agents/agent-page.tsx with the flow builder",
    bytes: weigh(app, [...SHELL, "features/agents/agent-page.tsx", "features/flows/flow-section.tsx"]),
    budgetKb: FLOW_BUILDER_KB,
  },
  { name: "public", bytes: weigh(app, withFirst("public.html")), budgetKb: PAGE_KB },
  ...pages.map((page) => {
    const name = page.replace(/^features\//, "");
    return { name, bytes: weigh(app, [...SHELL, page]), budgetKb: PAGE_KB };
  }),
];
for (const { name, bytes, budgetKb } of weighed) {
  const verdict = bytes > budgetKb * KB ? `  over its ${budgetKb} KB: load a part of it later` : "";
  console.log(`${(bytes / KB).toFixed(1).padStart(7)} KB  ${name}${verdict}`);
}
if (weighed.some(({ bytes, budgetKb }) => bytes > budgetKb * KB)) process.exitCode = 1;

function read(path: string): Manifest {
  return JSON.parse(readFileSync(join(dist, path), "utf8")) as Manifest;
}

/** An entry, and what it immediately loads. */
function withFirst(entry: string): string[] {
  return [entry, ...(app[entry]?.dynamicImports ?? [])];
}

function weigh(manifest: Manifest, begins: readonly string[]): number {
  const files = new Set([...reached(manifest, begins)].map((key) => manifest[key]?.file ?? ""));
  return [...files]
    .filter((file) => file.endsWith(".js"))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
}

/** What some chunks lead to by static imports, with themselves. */
function reached(manifest: Manifest, begins: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`${key} is not in the build.`);
    if (seen.has(key)) return;
    seen.add(key);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const key of begins) visit(key);
  return seen;
}
