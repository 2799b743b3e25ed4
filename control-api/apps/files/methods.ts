import type { Readable } from "node:stream";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../../database/open.ts";
import type { StoredFiles } from "../../records/recordings/stored-files.ts";
import type { BridgeCaller } from "../bridge/caller.ts";
import { type Handlers, RawBytes } from "../bridge/handlers.ts";
import { formatOf, textIn } from "./extract-text.ts";
import {
  deleteFileRow,
  type FilesOf,
  findFile,
  hideFile,
  listFiles,
  listHidden,
  type NewFile,
  reserveFile,
  showFile,
} from "./store.ts";

/** Longer than an upload may take. */
const SWEPT_AFTER_MS = 10 * 60_000;

export interface FilesDeps {
  readonly database: Database;
  readonly recordings: StoredFiles;
  readonly clock: Clock;
  readonly log: Logger;
}

/** `files.…`: bytes are stored with recordings, on disk or in S3. */
export function fileMethods(deps: FilesDeps): Handlers {
  const { database, clock } = deps;
  return {
    "files.put": ({ path }, { caller, bytes }) =>
      put({ path, bytes: bytes ?? Buffer.alloc(0) }, caller, deps),
    "files.get": ({ path }, { caller }) => readFile(path, caller, deps),
    "files.list": ({ prefix = "" }, { caller }) => listFiles(database.db, caller, prefix),
    "files.delete": async ({ path }, { caller: { orgId, appId } }) => {
      const at = new Date(clock.wallMs());
      return { deleted: await hideFile(database.db, { orgId, appId, path, at }) };
    },
    "files.extractText": async ({ path }, { caller, signal }) =>
      extractText(path, caller, { ...deps, signal }),
  };
}

async function extractText(
  path: string,
  caller: BridgeCaller,
  { signal, ...deps }: FilesDeps & { readonly signal: AbortSignal },
): Promise<{ text: string; truncated: boolean }> {
  const format = formatOf(path);
  const { bytes } = await readFile(path, caller, deps);
  return textIn(bytes, format, signal);
}

async function put(
  { path, bytes }: { readonly path: string; readonly bytes: Buffer },
  { orgId, appId }: BridgeCaller,
  { database, recordings, clock }: FilesDeps,
): Promise<{ path: string; size: number }> {
  const id = newId("fil");
  // The key ignores the path: apps never choose our file names.
  const key = `apps/${orgId}/${id}`;
  const file: NewFile = {
    id,
    orgId,
    appId,
    path,
    key,
    sizeBytes: bytes.length,
    at: new Date(clock.wallMs()),
  };
  await database.db.transaction().execute((trx) => reserveFile(trx, file));
  await recordings.put(key, bytes);
  if (!(await database.db.transaction().execute((trx) => showFile(trx, file))))
    throw new BridgeError("deadline_exceeded", "Storing the file took too long; store it again.");
  return { path, size: bytes.length };
}

/** Throws `BridgeError` not_found. */
export async function readFile(
  path: string,
  caller: FilesOf,
  { database, recordings }: Pick<FilesDeps, "database" | "recordings">,
): Promise<RawBytes> {
  const file = await findFile(database.db, caller, path);
  if (!file) throw new BridgeError("not_found", `There is no file ${path}.`);
  if (file.size_bytes === 0) return new RawBytes(Buffer.alloc(0));
  const stream: Readable = await recordings.open(file.key, { start: 0, end: file.size_bytes - 1 });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return new RawBytes(Buffer.concat(chunks));
}

/** Deletes the bytes of files that were replaced, deleted, or never fully stored. */
export async function sweepFiles(
  { database, recordings, clock, log }: FilesDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const { id, key } of await listHidden(database.db, new Date(clock.wallMs() - SWEPT_AFTER_MS))) {
    if (signal.aborted) return;
    try {
      await recordings.delete(key);
      await deleteFileRow(database.db, id);
    } catch (error) {
      log.warn(
        { event: "app_file_delete_failed", err: messageOf(error), fileId: id },
        "failed to delete a file of an app, trying again",
      );
    }
  }
}
