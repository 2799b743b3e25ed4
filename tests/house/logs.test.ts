import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./compose-file.ts";

interface LogCall {
  readonly file: string;
  readonly level: string;
  readonly args: string;
}

const sources = globSync("{shared,media,gateway,control-api}/**/*.ts", {
  cwd: ROOT,
  exclude: (path) => /node_modules|\/(fakes|testing)(\/|$)|\.test\.ts$/.test(path),
});
const calls: readonly LogCall[] = sources.flatMap((file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found = text.matchAll(/\blog\??\.(debug|info|warn|error|fatal)\(([\s\S]*?)\);?\n/g);
  return [...found].map(([, level = "", args = ""]) => ({ file, level, args: args.trim() }));
});
const where = ({ file, args }: LogCall): string => `${file}: ${args}`;

test("there are log lines to look at", () => {
  expect(calls.length).toBeGreaterThan(100);
});

test("every log line has an event to filter by, in snake_case", () => {
  expect(
    calls.filter(({ args }) => !/\bevent: "[a-z]+(_[a-z]+)*"|\.\.\.ended/.test(args)).map(where),
  ).toEqual([]);
});

test("the message of a log line is a constant: values are in its fields", () => {
  expect(calls.filter(({ args }) => /`/.test(args)).map(where)).toEqual([]);
});

test("a line with an error says what failed", () => {
  const silent = calls
    .filter(({ level, args }) => level !== "info" && /\berr(:|,)/.test(args))
    .filter(
      ({ args }) => !/fail(ed|s)\b|refuse(d|s)\b|broke\b|did not\b/.test(args.replace(/event: "\w+"/, "")),
    );
  expect(silent.map(where)).toEqual([]);
});
