import { extname } from "node:path";
import type { Readable } from "node:stream";
import { AppError } from "@parley/shared/errors.ts";
import { Zip, ZipDeflate, type ZipInputFile, ZipPassThrough } from "fflate";
import type { Database } from "../../database/open.ts";
import type { OrgSessions, PersonalData } from "../../modules/module.ts";
import { keysOf } from "../recordings/kept-forms.ts";
import type { StoredFiles } from "../recordings/stored-files.ts";
import type { KnownRows } from "./known.ts";

/** Sessions read together. */
const TOGETHER = 100;

export interface ExportDeps {
  readonly database: Database;
  readonly recordings: StoredFiles;
  readonly kinds: readonly PersonalData[];
}

/**
 * A zip with one JSON file per kind of data about these sessions and about the person beside them, and the sessions'
 * recordings. Generated while it is sent, so that it never has to fit in memory.
 */
export async function* exportPeople(
  { orgId, sessionIds, known }: OrgSessions & { readonly known: readonly KnownRows[] },
  { database, recordings, kinds }: ExportDeps,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter();
  for (const kind of kinds) {
    if (!kind.read) continue;
    yield* zip.begin(new ZipDeflate(`${kind.name}.json`));
    let before = "[\n";
    for await (const row of rowsOf(kind, { orgId, sessionIds }, database)) {
      yield* zip.write(Buffer.from(before + JSON.stringify(row)));
      before = ",\n";
    }
    yield* zip.write(Buffer.from(before === "[\n" ? "[]\n" : "\n]\n"), true);
  }
  for (const { name, rows } of known) {
    yield* zip.begin(new ZipDeflate(`${name}.json`));
    yield* zip.write(Buffer.from(`${JSON.stringify(rows, null, 1)}\n`), true);
  }
  const missing: string[] = [];
  for await (const { id, sessionId, key } of recordingsOf(database, { orgId, sessionIds })) {
    const opened = await openEither(recordings, key);
    if (opened === undefined) {
      missing.push(id);
      continue;
    }
    yield* zip.begin(new ZipPassThrough(`recordings/${sessionId}-${id}${extname(opened.key)}`));
    for await (const chunk of opened.bytes) yield* zip.write(chunk as Buffer);
    yield* zip.write(new Uint8Array(), true);
  }
  if (missing.length > 0) {
    yield* zip.begin(new ZipDeflate("recordings-not-found.json"));
    yield* zip.write(Buffer.from(`${JSON.stringify(missing)}\n`), true);
  }
  yield* zip.end();
}

/** Reads one kind of data, a few sessions at a time. */
export async function* rowsOf(
  { read }: PersonalData,
  { orgId, sessionIds }: OrgSessions,
  { db }: Database,
): AsyncGenerator<object> {
  for (let from = 0; read && from < sessionIds.length; from += TOGETHER)
    yield* await read(db, { orgId, sessionIds: sessionIds.slice(from, from + TOGETHER) });
}

/** Yields the bytes of a zip as they are produced. */
class ZipWriter {
  readonly #ready: Uint8Array[] = [];
  readonly #zip = new Zip((error, bytes) => {
    if (error) throw error;
    this.#ready.push(bytes);
  });
  #file: (ZipInputFile & { push(bytes: Uint8Array, isLast?: boolean): void }) | undefined;

  begin(file: ZipDeflate | ZipPassThrough): Uint8Array[] {
    this.#zip.add(file);
    this.#file = file;
    return this.#taken();
  }

  write(bytes: Uint8Array, isLast = false): Uint8Array[] {
    this.#file?.push(bytes, isLast);
    return this.#taken();
  }

  end(): Uint8Array[] {
    this.#zip.end();
    return this.#taken();
  }

  #taken(): Uint8Array[] {
    return this.#ready.splice(0);
  }
}

async function* recordingsOf({ db }: Database, { orgId, sessionIds }: OrgSessions) {
  for (let from = 0; from < sessionIds.length; from += TOGETHER) {
    yield* await db
      .selectFrom("recordings")
      .select(["id", "session_id as sessionId", "key"])
      .where("org_id", "=", orgId)
      .where("session_id", "in", sessionIds.slice(from, from + TOGETHER))
      .where("deleted_at", "is", null)
      .orderBy("id")
      .execute();
  }
}

/** Opens the current form: the file may have been compressed since its row was read. */
async function openEither(recordings: StoredFiles, key: string) {
  for (const form of [key, ...keysOf(key).filter((other) => other !== key)]) {
    const bytes = await openWhole(recordings, form);
    if (bytes !== undefined) return { bytes, key: form };
  }
  return undefined;
}

/** Undefined if the file is missing, or not there yet: a lost file must not fail the rest of the export. */
async function openWhole(recordings: StoredFiles, key: string): Promise<Readable | undefined> {
  try {
    const sizeBytes = await recordings.sizeBytes(key);
    return sizeBytes === 0 ? undefined : await recordings.open(key, { start: 0, end: sizeBytes - 1 });
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}
