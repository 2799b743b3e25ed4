import { z } from "zod";
import { readSql, type SqlText } from "./sql-text.ts";

export interface NamedQuery extends SqlText {
  readonly name: string;
}

const HEADER = /^--\s*name:\s*(.*?)\s*$/;
const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const MAX_QUERIES = 50;
const MAX_CHARS = 16_384;

/** Parses queries: each below a line `-- name: …`, with parameters as `:name`. Throws as `readSql`. */
export function readQueries(text: string): NamedQuery[] {
  const blocks: { name: string; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const name = HEADER.exec(line.trim())?.[1];
    const last = blocks.at(-1);
    if (name !== undefined) blocks.push({ name, lines: [] });
    else if (last) last.lines.push(line);
    else if (line.trim() !== "") throw new Error("must begin with a line -- name: <name of the query>");
  }
  const names = new Set(blocks.map(({ name }) => name));
  if (names.size < blocks.length) throw new Error("must give each query another name");
  if (blocks.length > MAX_QUERIES) throw new Error(`must be at most ${MAX_QUERIES}`);
  return blocks.map(({ name, lines }) => {
    if (!NAME.test(name)) throw new Error("must name queries with small letters, digits and _");
    try {
      return { name, ...readSql(lines.join("\n")) };
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  });
}

export const queries = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CHARS)
  .superRefine((text, context) => {
    try {
      readQueries(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  });
