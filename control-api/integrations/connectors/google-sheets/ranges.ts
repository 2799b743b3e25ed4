import { z } from "zod";
import type { ConnectorContext } from "../../connector.ts";
import { VendorError } from "../../vendor/vendor.ts";
import { segment } from "../read.ts";

const MAX_RANGES = 50;
const LINE = /^([A-Za-z][A-Za-z0-9_-]{0,63})\s+(\S.{0,200})$/;

interface Range {
  readonly name: string;
  /** In Google's notation: `Orders!A:F`. */
  readonly range: string;
}

/** Ranges as people enter them; the error names the line. */
export const rangesText = z
  .string()
  .trim()
  .max(16_384)
  .superRefine((text, context) => {
    const lines = linesOf(text);
    const names = new Set<string>();
    const problem = (message: string) => context.addIssue({ code: "custom", message });
    if (lines.length > MAX_RANGES) problem(`at most ${MAX_RANGES} ranges, one on each line`);
    for (const [index, line] of lines.entries()) {
      const range = parse(line);
      if (!range) problem(`range ${index + 1} is not a name and a range: orders Orders!A:F`);
      else if (names.has(range.name))
        problem(`range ${index + 1} has the name of another one (${range.name})`);
      else names.add(range.name);
    }
  });

export function rangesOf(text = ""): Range[] {
  return linesOf(text).flatMap((line) => parse(line) ?? []);
}

/** The URL of a named range's values. Throws `VendorError` rejected, listing the names; denied if none is entered. */
export function valuesUrl({ settings }: ConnectorContext, name: string): string {
  const ranges = rangesOf(settings.ranges);
  const known = ranges.find((range) => range.name === name);
  if (settings.spreadsheet === undefined)
    throw new VendorError("denied", "No spreadsheet is entered; enter one at the connection.");
  if (known) return `${spreadsheetUrl(settings.spreadsheet)}/values/${segment(known.range)}`;
  const names = ranges.map((range) => range.name).join(", ");
  throw new VendorError("rejected", `There is no range of this name. There are: ${names}.`);
}

export function spreadsheetUrl(id: string): string {
  return `https://sheets.googleapis.com/v4/spreadsheets/${segment(id)}`;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function parse(line: string): Range | undefined {
  const [, name, range] = LINE.exec(line) ?? [];
  return name === undefined || range === undefined ? undefined : { name, range };
}
