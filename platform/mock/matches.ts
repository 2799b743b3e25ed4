import type { AppRecord, Query, QueryScalar } from "../methods/data.ts";
import { BridgeError } from "../wire/errors.ts";

type Operators = Exclude<Query[string], string | number | boolean | null>;

const TIMES: readonly string[] = ["createdAt", "updatedAt"];

/** Tells which records match a query. Throws `BridgeError` invalid_arguments. */
export function matcher(query: Query): (record: AppRecord) => boolean {
  const conditions = Object.entries(query).map(([field, wanted]) => {
    const operators = isOperators(wanted) ? wanted : { $eq: wanted };
    if (field === "id" || TIMES.includes(field)) return { field, operators: forOwn(field, operators) };
    return { field, operators };
  });
  return (record) =>
    conditions.every(({ field, operators }) => {
      const value = fieldOf(record, field);
      return allHold(operators, TIMES.includes(field) ? msOf(value) : value);
    });
}

/** The operators for one of the record's own fields; times are compared in milliseconds. */
function forOwn(field: string, operators: Operators): Operators {
  if (operators.$contains !== undefined)
    throw new BridgeError("invalid_arguments", `${field} cannot be asked with $contains.`);
  const own = (value: QueryScalar): QueryScalar => {
    if (value === null) return null;
    if (field === "id") return String(value);
    const ms = msOf(value);
    if (ms !== null) return ms;
    throw new BridgeError("invalid_arguments", `${field} is compared with a time, as 2026-01-31T12:00:00Z.`);
  };
  return Object.fromEntries(
    Object.entries(operators).map(([name, operand]) => [
      name,
      Array.isArray(operand) ? operand.map(own) : own(operand as QueryScalar),
    ]),
  );
}

function msOf(value: unknown): number | null {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Reads a field of the data; dots lead into objects. `id`, `createdAt` and `updatedAt` are the record's own. */
export function fieldOf(record: AppRecord, field: string): unknown {
  if (field === "id" || field === "createdAt" || field === "updatedAt") return record[field];
  return field
    .split(".")
    .reduce<unknown>(
      (within, name) => (isObject(within) && Object.hasOwn(within, name) ? within[name] : undefined),
      record.data,
    );
}

/** Compares by code points, as the database does; `<` compares halves of surrogate pairs. */
export function compareText(a: string, b: string): number {
  for (let at = 0; ; at++) {
    const [one, other] = [a.codePointAt(at) ?? -1, b.codePointAt(at) ?? -1];
    if (one !== other || one === -1) return Math.sign(one - other);
  }
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

/** Undefined for incomparable values: a number is neither before nor after a text. */
function orderOf(value: unknown, operand: string | number): number | undefined {
  if (typeof value === "number" && typeof operand === "number") return value - operand;
  if (typeof value === "string" && typeof operand === "string") return compareText(value, operand);
  return undefined;
}

function isPart(part: string, value: unknown): boolean {
  return typeof value === "string" && value.toLowerCase().includes(part.toLowerCase());
}

/** A missing field equals null. */
function isSame(value: unknown, wanted: unknown): boolean {
  return (value ?? null) === wanted;
}

function isOperators(wanted: Query[string]): wanted is Operators {
  return typeof wanted === "object" && wanted !== null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
