import { parse } from "csv-parse/sync";
import { type ReadDocument, UnreadableDocument } from "./document.ts";

const DELIMITERS = [",", ";", "\t", "|"];

/** A table: each row becomes a paragraph of `column: value`, so that it can be found without its neighbors. */
export function readCsv(text: string): ReadDocument {
  const rows = parsed(text);
  const [columns = [], ...values] = rows;
  const paragraphs = values.map((row) =>
    row
      .map((value, i) => ({ name: columns[i]?.trim() || `column ${i + 1}`, value: value.trim() }))
      .filter(({ value }) => value !== "")
      .map(({ name, value }) => `${name}: ${value}`)
      .join("; "),
  );
  return { title: undefined, markdown: paragraphs.filter((text) => text !== "").join("\n\n") };
}

function parsed(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new UnreadableDocument(`The table cannot be read: ${why} Save it as CSV again and upload that.`, {
      cause: error,
    });
  }
}

/** The most frequent delimiter in the first line. */
function delimiterOf(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const counted = DELIMITERS.map((each) => ({ each, count: first.split(each).length }));
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).each;
}
