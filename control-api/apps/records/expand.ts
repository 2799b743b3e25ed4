import type { AppRecord } from "@parley/platform/methods/data.ts";
import { referencedTypes } from "@parley/platform/methods/references.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { BridgeCaller } from "../bridge/caller.ts";
import { findRecords } from "./store.ts";
import { toRecord } from "./to-record.ts";

interface Expansion {
  readonly type: string;
  readonly fields: readonly string[];
  readonly caller: BridgeCaller;
  readonly db: Kysely<Tables>;
}

/**
 * Adds to each record, as `{field}__expanded`, the record that a field refers to; null where there is none. Throws
 * `BridgeError` scope_missing when the app has no scope for the referenced type.
 */
export async function expandRecords(
  records: readonly AppRecord[],
  { type, fields, caller, db }: Expansion,
): Promise<AppRecord[]> {
  let expanded = [...records];
  for (const field of fields) {
    const types = referencedTypes({ type, field, objects: caller.manifest.objects, scopes: caller.scopes });
    const ids = [...new Set(expanded.flatMap((record) => idIn(record, field)))];
    const found = await findRecords(db, { ...caller, types }, ids);
    const byId = new Map(found.map((row) => [row.id, toRecord(row, row.type, caller)]));
    expanded = expanded.map((record) => {
      const [id = ""] = idIn(record, field);
      const other = (byId.get(id) ?? null) as AppRecord["data"][string];
      return { ...record, data: { ...record.data, [`${field}__expanded`]: other } };
    });
  }
  return expanded;
}

function idIn({ data }: AppRecord, field: string): string[] {
  const value = field
    .split(".")
    .reduce<unknown>(
      (within, name) =>
        typeof within === "object" && within !== null && Object.hasOwn(within, name)
          ? (within as Record<string, unknown>)[name]
          : undefined,
      data,
    );
  return typeof value === "string" && value.length <= 64 ? [value] : [];
}
