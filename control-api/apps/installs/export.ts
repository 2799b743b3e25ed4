import { Readable } from "node:stream";
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

/** Each line of an export is one record, or one file with its bytes in base64. */
export function exportData(of: Exported, deps: Pick<FilesDeps, "database" | "recordings">): Readable {
  return Readable.from(lines(of, deps));
}

async function* lines(
  of: Exported,
  deps: Pick<FilesDeps, "database" | "recordings">,
): AsyncGenerator<string> {
  const { db } = deps.database;
  for await (const record of records(db, of)) yield line({ record });
  for (const { path, sizeBytes, updatedAt } of await listFiles(db, of, "")) {
    const { bytes } = await readFile(path, of, deps);
    yield line({ file: { path, sizeBytes, updatedAt, base64: bytes.toString("base64") } });
  }
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
