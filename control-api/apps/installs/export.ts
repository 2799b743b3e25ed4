import { BridgeError } from "@parley/platform/wire/errors.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { type FilesDeps, readFile } from "../files/methods.ts";
import { listFiles } from "../files/store.ts";
import { recordsAfter, typesOf } from "../records/every-record.ts";

const AT_ONCE = 500;

interface Exported {
  readonly orgId: string;
  readonly appId: string;
}

/**
 * Each line of an export is one record, or one file with its bytes in base64. What is deleted before its turn has come is
 * left out.
 */
export async function* exportData(
  of: Exported,
  deps: Pick<FilesDeps, "database" | "recordings">,
): AsyncGenerator<string> {
  const { db } = deps.database;
  for await (const record of records(db, of)) yield line({ record });
  for (const { path, sizeBytes, updatedAt } of await listFiles(db, of, "")) {
    const read = await readFile(path, of, deps).catch(undefinedIfGone);
    if (read === undefined) continue;
    yield line({ file: { path, sizeBytes, updatedAt, base64: read.bytes.toString("base64") } });
  }
}

function undefinedIfGone(error: unknown): undefined {
  const isKnown = error instanceof BridgeError || error instanceof AppError;
  if (!isKnown || error.code !== "not_found") throw error;
}

async function* records(db: Kysely<Tables>, of: Exported): AsyncGenerator<object> {
  for (const { id: storeId, type: objectType } of await typesOf(db, of)) {
    let after = "0";
    for (;;) {
      const rows = await recordsAfter(db, { storeId, after, limit: AT_ONCE });
      for (const { id, data, created_at, updated_at } of rows)
        yield { id, objectType, data, createdAt: created_at, ...(updated_at && { updatedAt: updated_at }) };
      const last = rows.at(-1);
      if (!last || rows.length < AT_ONCE) break;
      after = last.seq;
    }
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
