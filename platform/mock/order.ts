import type { AppRecord, QueryOpts } from "../methods/data.ts";
import { NUMERIC_TEXT } from "../methods/storable.ts";
import { compareText, fieldOf } from "./matches.ts";

type Order = NonNullable<QueryOpts["orderBy"]>;

/** Ids of the mock end with the number of their record. */
function ageOf({ id }: AppRecord): number {
  return Number(id.slice(id.lastIndexOf("_") + 1));
}

export function newestFirst(a: AppRecord, b: AppRecord): number {
  return ageOf(b) - ageOf(a);
}

/** The server's order: what has no value comes last, the newest first; what is equal, by age in the same direction. */
export function inOrder({
  field,
  desc = false,
  numeric = false,
}: Order): (a: AppRecord, b: AppRecord) => number {
  const sign = desc ? -1 : 1;
  const sortableIn = (record: AppRecord) => sortable(fieldOf(record, field), numeric);
  return (a, b) => {
    if (field === "createdAt") return -sign * newestFirst(a, b);
    const [one, other] = [sortableIn(a), sortableIn(b)];
    if (one === undefined || other === undefined)
      return one === other ? newestFirst(a, b) : Number(one === undefined) - Number(other === undefined);
    return sign * (compare(one, other) || -newestFirst(a, b));
  };
}

function sortable(value: unknown, numeric: boolean): string | number | undefined {
  if (numeric) {
    if (typeof value === "number") return value;
    return typeof value === "string" && NUMERIC_TEXT.test(value) ? Number(value) : undefined;
  }
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));
}
