import type { AppRecord, Query } from "../methods/data.ts";

type Operators = Exclude<Query[string], string | number | boolean | null>;

/** Whether a record is as the query asks for. */
export function matches(record: AppRecord, query: Query): boolean {
  return Object.entries(query).every(([field, wanted]) => {
    const value = fieldOf(record, field);
    return isOperators(wanted) ? allHold(wanted, value) : isSame(value, wanted);
  });
}

/** What stands in a field of the data, within objects by dots; `id`, `createdAt` and `updatedAt` are the record's own. */
export function fieldOf(record: AppRecord, field: string): unknown {
  if (field === "id" || field === "createdAt" || field === "updatedAt") return record[field];
  return field
    .split(".")
    .reduce<unknown>(
      (within, name) => (isObject(within) && Object.hasOwn(within, name) ? within[name] : undefined),
      record.data,
    );
}

/** By code points, as the database does. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function allHold(operators: Operators, value: unknown): boolean {
  const { $eq, $ne, $in, $contains } = operators;
  if ($eq !== undefined && !isSame(value, $eq)) return false;
  if ($ne !== undefined && isSame(value, $ne)) return false;
  if ($in !== undefined && !$in.some((one) => isSame(value, one))) return false;
  if ($contains !== undefined && !isPart($contains, value)) return false;
  return isWithin(operators, value);
}

function isWithin({ $gt, $gte, $lt, $lte }: Operators, value: unknown): boolean {
  if ($gt !== undefined && !((orderOf(value, $gt) ?? 0) > 0)) return false;
  if ($gte !== undefined && !((orderOf(value, $gte) ?? -1) >= 0)) return false;
  if ($lt !== undefined && !((orderOf(value, $lt) ?? 0) < 0)) return false;
  return $lte === undefined || (orderOf(value, $lte) ?? 1) <= 0;
}

/** Undefined where the two cannot be compared: a number is neither before nor after a text. */
function orderOf(value: unknown, operand: string | number): number | undefined {
  if (typeof value === "number" && typeof operand === "number") return value - operand;
  if (typeof value === "string" && typeof operand === "string") return compareText(value, operand);
  return undefined;
}

function isPart(part: string, value: unknown): boolean {
  return typeof value === "string" && value.toLowerCase().includes(part.toLowerCase());
}

/** A field that is not there is null. */
function isSame(value: unknown, wanted: unknown): boolean {
  return (value ?? null) === wanted;
}

function isOperators(wanted: Query[string]): wanted is Operators {
  return typeof wanted === "object" && wanted !== null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
