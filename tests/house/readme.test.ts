import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brainControlSchema } from "@parley/shared/contracts/brain.ts";
import { brainSchema } from "@parley/shared/contracts/brain-plan.ts";
import { CLIENT_MESSAGE_TYPES, serverMessageSchema } from "@parley/shared/contracts/call-socket.ts";
import { describe, expect, test } from "vitest";
import { updated } from "../../scripts/update-readme.ts";
import { ROOT } from "../support/product.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const all = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))].sort();

const readme = read("README.md");
const pages = [
  "CHANGELOG.md",
  "README.md",
  "CONTRIBUTING.md",
  "docs/chat-widget.md",
  "docs/decisions.md",
  "docs/field-complaints.md",
  "docs/isolation.md",
  "docs/operations.md",
  "docs/performance.md",
  "docs/phones.md",
  "docs/webhooks.md",
];
/** Files a running Parley writes. */
const MADE_LATER = ["demo.json", "secrets.json"];
const commands = all(readme, /```sh\n([\s\S]*?)```/g).join("\n");

/** The part of the README below a heading. */
function section(heading: string): string {
  const after = readme.split(`\n## ${heading}\n`)[1];
  return after?.split("\n## ")[0] ?? "";
}

describe("the README", () => {
  test("has the examples and the configuration as they are (npx node scripts/update-readme.ts)", () => {
    expect(updated(readme)).toBe(readme);
  });

  test("shows both examples and the table", () => {
    expect(all(readme, /<!-- file: (\S+) -->/g)).toEqual([
      "examples/brain/minimal.ts",
      "examples/first-call.ts",
    ]);
    expect(section("Configuration")).toContain("<!-- configuration -->\n| variable |");
  });

  test("runs programs on the pinned Node, whichever Node a reader has", () => {
    const programs = [...commands.matchAll(/(.{0,4})\bnode \S+\.ts/g)];
    expect(programs.length).toBeGreaterThan(3);
    for (const [, before] of programs) expect(before).toMatch(/npx $/);
  });

  test("sets variables that Parley, the example or a command beneath reads", () => {
    const known = [...all(readme, /^\| `([A-Z0-9_]+)` \|/gm), ...all(commands, /\$([A-Z][A-Z0-9_]+)\b/g)];
    const set = all(commands, /\b([A-Z][A-Z0-9_]+)=/g);
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("sets every variable that a command reads", () => {
    const read = all(commands, /\$([A-Z][A-Z0-9_]+)\b/g);
    expect(read.filter((name) => !commands.includes(`${name}=`))).toEqual([]);
  });

  test("shows a model's settings as an agent may have them", () => {
    const [json = ""] = all(readme, /<!-- model brain -->\n```json\n([\s\S]*?)```/g);
    const settings = JSON.parse(json);
    expect(brainSchema.parse(settings)).toMatchObject(settings);
  });

  test("shows every control event of a brain, in a form the gateway accepts", () => {
    const shown = all(section("Add a brain"), /^\| `(\{.*?\})` \|/gm).map((json) => JSON.parse(json));
    const events = shown.map((control) => brainControlSchema.parse(control).event).sort();
    expect(events).toEqual(brainControlSchema.options.map((option) => option.shape.event.value).sort());
  });

  test("names every message a client may send and every one it gets", () => {
    const table = all(section("The call socket"), /`(\w+)`/g);
    const types = serverMessageSchema.options.map((option) => option.shape.type.value);
    const wanted: string[] = [...CLIENT_MESSAGE_TYPES, ...types];
    expect(wanted.filter((type) => !table.includes(type))).toEqual([]);
  });

  test("names metrics that exist", () => {
    const metrics = read("shared/metrics.ts");
    for (const name of all(readme, /\bparley_([a-z_]+)/g)) expect(metrics).toContain(`"${name}"`);
  });
});

describe.each(pages)("%s", (page) => {
  const text = read(page);

  test("names npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...all(text, /npm run (?:-s )?([a-z:]+)/g), ...all(text, /npm (start|test)\b/g)];
    const missing = named.filter((name) => !(name in scripts));
    expect(missing).toEqual([]);
  });

  test("names paths that exist", () => {
    const folders =
      "shared|media|gateway|control-api|dashboard|examples|scripts|tests|ops|docs|platform|loadtest|\\.ci|\\.github";
    const paths = all(text, new RegExp(`(?<![\\w/.-])((?:${folders})/[\\w./-]*[\\w/])`, "g"));
    const files = all(text, /`([\w.-]+\.(?:yml|cjs|json|md))`/g).filter((name) => !MADE_LATER.includes(name));
    expect([...paths, ...files].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("links to files that exist", () => {
    const links = all(text, /\]\(([^)#:]+)\)/g);
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });
});
