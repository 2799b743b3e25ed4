import type { Query, QueryOperators, QueryScalar } from "@parley/platform/methods/data.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { type RawBuilder, sql } from "kysely";
import { INDEXED_CHARS, indexedText } from "./values.ts";

/** One operator on one field: the unit of a query. */
export interface Condition {
  readonly field: string;
  readonly operator: keyof QueryOperators;
  readonly operand: QueryScalar | readonly QueryScalar[];
}

/** Columns of `app_records as r` that a query may name. */
const OWN_FIELDS: Readonly<Record<string, "id" | "created_at" | "updated_at">> = {
  id: "id",
  createdAt: "created_at",
  updatedAt: "updated_at",
};

/** The conditions of a query, all of which must hold. */
export function conditionsOf(query: Query): Condition[] {
  return Object.entries(query).flatMap(([field, wanted]) => {
    if (typeof wanted !== "object" || wanted === null)
      return [{ field, operator: "$eq", operand: wanted } as Condition];
    return Object.entries(wanted).flatMap(([operator, operand]) =>
      operand === undefined ? [] : [{ field, operator, operand } as Condition],
    );
  });
}

/** SQL that a record `r` meets the condition. All input is parameters. Throws `BridgeError` invalid_arguments. */
function holds(condition: Condition): RawBuilder<boolean> {
  const own = Object.hasOwn(OWN_FIELDS, condition.field) ? OWN_FIELDS[condition.field] : undefined;
  return own === undefined ? holdsForData(condition) : holdsForOwn(own, condition);
}

/** SQL, beginning with `and`, that a record `r` meets all of them. */
export function allHold(conditions: readonly Condition[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`and ${sql.join(conditions.map(holds), sql` and `)}`;
}

/** The JSON in a field of the data; null where the field is absent. Quoted: an array's bare `null` is no name. */
export function jsonAt(field: string): RawBuilder<unknown> {
  return sql`r.data #> ${`{"${field.split(".").join('","')}"}`}::text[]`;
}

function holdsForData({ field, operator, operand }: Condition): RawBuilder<boolean> {
  const json = sql`coalesce(${jsonAt(field)}, 'null'::jsonb)`;
  const equals = (value: unknown) => sql<boolean>`${json} = ${JSON.stringify(value)}::jsonb`;
  switch (operator) {
    case "$eq":
      return equals(operand);
    case "$ne":
      return sql`not (${equals(operand)})`;
    case "$in":
      return anyOf((operand as readonly QueryScalar[]).map(equals));
    case "$contains":
      return sql`case when jsonb_typeof(${json}) = 'string'
        then strpos(lower(${json} #>> '{}'), lower(${operand as string}::text)) > 0 else false end`;
    default:
      return typeof operand === "number"
        ? sql`(case when jsonb_typeof(${json}) = 'number' then (${json} #>> '{}')::double precision end) ${sign(operator)} ${operand}::double precision`
        : sql`(case when jsonb_typeof(${json}) = 'string' then ${json} #>> '{}' end) collate "C" ${sign(operator)} ${operand as string}::text`;
  }
}

function holdsForOwn(
  column: "id" | "created_at" | "updated_at",
  { field, operator, operand }: Condition,
): RawBuilder<boolean> {
  const ref = sql.ref(`r.${column}`);
  if (operator === "$contains")
    throw new BridgeError("invalid_arguments", `${field} cannot be asked with $contains.`);
  if (operator === "$in")
    return anyOf(
      (operand as readonly QueryScalar[]).map(
        (one) => sql<boolean>`${ref} = ${ownValue(column, field, one)}`,
      ),
    );
  if (operand === null) {
    if (operator === "$eq") return sql`${ref} is null`;
    return sql`${ref} is not null`;
  }
  const value = ownValue(column, field, operand as QueryScalar);
  if (operator === "$ne") return sql`${ref} is distinct from ${value}`;
  return sql`${ref} ${sign(operator)} ${value}`;
}

function ownValue(column: string, field: string, value: QueryScalar): RawBuilder<unknown> {
  if (column === "id") return sql`${String(value)}::text`;
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms))
    throw new BridgeError("invalid_arguments", `${field} is compared with a time, as 2026-01-31T12:00:00Z.`);
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}

/**
 * The condition on `app_record_values as v`, if its index finds every record that meets it; it may find a few more, so
 * `holds` is applied as well. Undefined for conditions that no index helps.
 */
export function indexed(condition: Condition): RawBuilder<boolean> | undefined {
  const { field, operator, operand } = condition;
  if (Object.hasOwn(OWN_FIELDS, field)) return undefined;
  if (operator === "$in") return indexedIn(operand as readonly QueryScalar[]);
  if (typeof operand === "boolean")
    return operator === "$eq" ? sql`v.kind = 'b' and v.text_value = ${String(operand)}` : undefined;
  const bound = boundOf(condition);
  return bound && sql`v.kind = ${typeof operand === "number" ? "n" : "s"} and ${bound}`;
}

/** The condition's range in the index, of numbers or texts; may include entries of the other kind. */
export function boundOf({ operator, operand }: Condition): RawBuilder<boolean> | undefined {
  if (operator === "$ne" || operator === "$contains" || operator === "$in") return undefined;
  if (typeof operand === "number") return sql`v.num_value ${sign(operator)} ${operand}::double precision`;
  if (typeof operand !== "string") return undefined;
  // A longer text starts with its index entry.
  const isCut = operand.length >= INDEXED_CHARS;
  return sql`v.text_value ${sign(operator, isCut)} ${indexedText(operand)}::text`;
}

function indexedIn(values: readonly QueryScalar[]): RawBuilder<boolean> | undefined {
  if (values.length === 0) return sql`false`;
  if (values.every((one) => typeof one === "string"))
    return sql`v.kind = 's' and v.text_value in (${sql.join(values.map((one) => indexedText(one)))})`;
  if (values.every((one) => typeof one === "number"))
    return sql`v.kind = 'n' and v.num_value in (${sql.join(values)})`;
  return undefined;
}

/** With `isLoose`, includes texts that share the entry's 256 characters. */
function sign(operator: keyof QueryOperators, isLoose = false): RawBuilder<unknown> {
  switch (operator) {
    case "$gt":
      return sql.raw(isLoose ? ">=" : ">");
    case "$gte":
      return sql.raw(">=");
    case "$lt":
      return sql.raw(isLoose ? "<=" : "<");
    case "$lte":
      return sql.raw("<=");
    default:
      return sql.raw("=");
  }
}

function anyOf(all: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return all.length === 0 ? sql`false` : sql`(${sql.join([...all], sql` or `)})`;
}
