import type { AppRecord } from "@parley/platform/methods/data.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { BridgeCaller } from "../bridge/caller.ts";
import { findRecords } from "./store.ts";

interface Expansion {
  readonly type: string;
  readonly fields: readonly string[];
  readonly caller: BridgeCaller;
  readonly db: Kysely<Tables>;
}

/**
 * Adds to each record, as `{field}__expanded`, the one that a field refers to; null where there is none. Throws
 * `BridgeError` scope_missing when the type that is referred to was not granted.
 */
export async function expandRecords(
  records: readonly AppRecord[],
  { type, fields, caller, db }: Expansion,
): Promise<AppRecord[]> {
  let expanded = [...records];
  for (const field of fields) {
    const { orgId, appId, scopes, manifest } = caller;
    const references = Object.entries(manifest.objects ?? {}).find(([name]) => name === type)?.[1].references;
    const target = references && Object.hasOwn(references, field) ? references[field] : undefined;
    if (target !== undefined && !scopes.includes(`objects:${target}`))
      throw new BridgeError("scope_missing", `Expanding ${field} needs scope objects:${target}.`);
    const ids = [...new Set(expanded.flatMap((record) => idIn(record, field)))];
    const found = target === undefined ? [] : await findRecords(db, { orgId, appId, type: target }, ids);
    const byId = new Map(found.map(({ id, data }) => [id, { id, objectType: target ?? "", data }]));
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
