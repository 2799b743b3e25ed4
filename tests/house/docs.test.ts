import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brainControlSchema } from "@parley/shared/contracts/brain-control.ts";
import { brainSchema } from "@parley/shared/contracts/brain-plan.ts";
import { CLIENT_MESSAGE_TYPES, serverMessageSchema } from "@parley/shared/contracts/call-socket.ts";
import { CLOSE } from "@parley/shared/contracts/close-codes.ts";
import { describe, expect, test } from "vitest";
import { pages as madePages, updated } from "../../scripts/update-docs.ts";
import { ROOT } from "../../testkit/product.ts";
import { anchorsOf } from "./anchors.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const all = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))].sort();

const pages = ["CHANGELOG.md", "CONTRIBUTING.md", ...madePages()];
/** Files a running Parley writes. */
const MADE_LATER = ["demo.json", "secrets.json"];
const VARIABLES = all(read("docs/configuration.md"), /^\| `([A-Z0-9_]+)` \|/gm);

/** A reader's own key or token, or a variable of our shell scripts. */
const OTHERS = ["KEY", "TOKEN", "COMPOSE", "CAMPAIGN_BENCH_CALLS", "CAMPAIGN_BENCH_TARGETS"];

const commandsOf = (text: string): string => all(text, /```sh\n([\s\S]*?)```/g).join("\n");

/** The part of a page below a heading. */
function section(page: string, heading: string): string {
  const after = read(page).split(`\n## ${heading}\n`)[1];
  return after?.split("\n## ")[0] ?? "";
}

describe("the README", () => {
  test("is short enough to be read", () => {
    expect(Buffer.byteLength(read("README.md"))).toBeLessThan(10_000);
  });

  test("shows a first call and a brain", () => {
    expect(all(read("README.md"), /<!-- file: (\S+) -->/g)).toEqual([
      "examples/brain/minimal.ts",
      "examples/first-call.ts",
    ]);
  });

  test("names every folder of the map in CONTRIBUTING", () => {
    const folders = all(read("CONTRIBUTING.md"), /^\| `([a-z-]+\/)` \|/gm);
    expect(folders.length).toBeGreaterThan(9);
    const named = all(read("README.md"), /`([a-z-]+\/)`/g);
    expect(folders.filter((folder) => !named.includes(folder))).toEqual([]);
  });
});

describe("the documentation", () => {
  test("has every page in its index", () => {
    const linked = all(read("docs/README.md"), /\]\(([a-z-]+\.md)\)/g);
    expect(linked.map((page) => `docs/${page}`)).toEqual(
      globSync("docs/*.md", { cwd: ROOT })
        .filter((page) => page !== "docs/README.md")
        .sort(),
    );
  });

  test("has an anchor for each decision, in the page of its topic", () => {
    const topics = globSync("docs/decisions/*.md", { cwd: ROOT })
      .filter((page) => page !== "docs/decisions/README.md")
      .sort();
    expect(topics.length).toBeGreaterThan(10);
    const linked = all(read("docs/decisions/README.md"), /\]\(([a-z-]+\.md)\)/g);
    expect(linked.map((page) => `docs/decisions/${page}`)).toEqual(topics);
    for (const topic of topics) {
      const ids = [...read(topic).matchAll(/^- <a id="([^"]+)">/gm)].map(([, id]) => id);
      expect(ids.length, topic).toBeGreaterThan(0);
      expect(new Set(ids).size, topic).toBe(ids.length);
      expect(all(read(topic), /^(- (?!<a id=").*)$/gm), topic).toEqual([]);
    }
  });

  test("has the configuration table", () => {
    expect(read("docs/configuration.md")).toContain("<!-- configuration -->\n| variable |");
  });

  test("shows a model's settings as an agent may have them", () => {
    const [json = ""] = all(read("docs/brain.md"), /<!-- model brain -->\n```json\n([\s\S]*?)```/g);
    const settings = JSON.parse(json);
    expect(brainSchema.parse(settings)).toMatchObject(settings);
  });

  test("shows every control event of a brain, in a form the gateway accepts", () => {
    const shown = all(section("docs/brain.md", "Control events"), /^\| `(\{.*?\})` \|/gm).map((json) =>
      JSON.parse(json),
    );
    const events = shown.map((control) => brainControlSchema.parse(control).event).sort();
    expect(events).toEqual(brainControlSchema.options.map((option) => option.shape.event.value).sort());
  });

  test("names every message a client may send and every one it gets", () => {
    const table = all(section("docs/call-socket.md", "Messages"), /`(\w+)`/g);
    const types = serverMessageSchema.options.map((option) => option.shape.type.value);
    const wanted: string[] = [...CLIENT_MESSAGE_TYPES, ...types];
    expect(wanted.filter((type) => !table.includes(type))).toEqual([]);
  });

  test("names every close code of the call socket", () => {
    const codes = all(section("docs/call-socket.md", "How a socket ends"), /^\| (\d+) \|/gm);
    expect(codes).toEqual(
      Object.values(CLOSE)
        .map(({ code }) => String(code))
        .sort(),
    );
  });
});

describe.each(pages)("%s", (page) => {
  const text = read(page);
  const commands = commandsOf(text);

  test("has the examples and the configuration as they are (npx node scripts/update-docs.ts)", () => {
    expect(updated(text)).toBe(text);
  });

  test("runs programs on the pinned Node, whichever Node a reader has", () => {
    for (const [, before] of commands.matchAll(/(.{0,4})\bnode \S+\.ts/g)) expect(before).toMatch(/npx $/);
  });

  test("sets variables that Parley, the example or a command beneath reads", () => {
    const known = [...VARIABLES, ...OTHERS, ...all(commands, /\$\{?([A-Z][A-Z0-9_]+)\b/g)];
    const set = all(commands, /\b([A-Z][A-Z0-9_]+)=/g);
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("sets every variable that a command reads", () => {
    const used = all(commands, /\$\{?([A-Z][A-Z0-9_]+)\b/g);
    expect(
      used.filter((name) => !commands.includes(`${name}=`) && ![...VARIABLES, ...OTHERS].includes(name)),
    ).toEqual([]);
  });

  test("names metrics that exist", () => {
    const metrics = globSync("shared/metrics/*.ts", { cwd: ROOT }).map(read).join("\n");
    for (const name of all(text, /\bparley_([a-z_]+)/g)) expect(metrics).toContain(name);
  });

  test("names npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...all(text, /npm run (?:-s )?([a-z:]+)/g), ...all(text, /npm (start|test)\b/g)];
    const missing = named.filter((name) => !(name in scripts));
    expect(missing).toEqual([]);
  });

  test("names paths that exist", () => {
    const folders =
      "shared|media|gateway|control-api|dashboard|examples|scripts|testkit|tests|ops|docs|platform|loadtest|\\.ci|\\.github";
    const paths = all(text, new RegExp(`(?<![\\w/.-])((?:${folders})/[\\w./-]*[\\w/])`, "g"));
    const files = all(text, /`([\w.-]+\.(?:yml|cjs|json|md))`/g).filter((name) => !MADE_LATER.includes(name));
    // What apps import of the package `platform` reads like a path.
    const { exports } = JSON.parse(read("platform/sdk/package.json")) as { exports: Record<string, string> };
    const imports = Object.keys(exports).map((name) => `platform${name.slice(1)}`);
    const missing = [...paths, ...files].filter(
      (path) =>
        !imports.includes(path) &&
        !existsSync(join(ROOT, path)) &&
        !existsSync(join(ROOT, dirname(page), path)),
    );
    expect(missing).toEqual([]);
  });

  test("links to pages and headings that exist", () => {
    const links = all(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));
    const broken = links.filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});
