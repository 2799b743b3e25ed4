import type { AppRecord } from "@parley/platform/methods/data.ts";
import type { BridgeCaller } from "../bridge/caller.ts";
import type { StoredRecord } from "./list.ts";

/** A stored record as apps get it. */
export function toRecord(
  row: StoredRecord,
  objectType: string,
  { appId }: Pick<BridgeCaller, "appId">,
): AppRecord {
  return {
    id: row.id,
    appId,
    objectType,
    data: row.data as AppRecord["data"],
    createdAt: row.created_at.toISOString(),
    ...(row.updated_at && { updatedAt: row.updated_at.toISOString() }),
  };
}
