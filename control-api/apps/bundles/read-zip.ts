import { BUNDLE_LIMITS, refusalOfPath } from "@parley/platform/publish-checks/bundle-limits.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";

const TYPE_BITS = 0xf000;
const SYMLINK = 0xa000;
const REGULAR_FILE = 0x8000;
const IS_ENCRYPTED = 0x1;

/**
 * Reads the files of a zip into memory, by path. Throws `AppError` validation_failed for anything that is not a zip,
 * and for paths that escape it, links, encrypted and duplicate entries; payload_too_large past the limits of bundles,
 * before unpacking more than they allow.
 */
export async function readZip(zip: Buffer): Promise<Map<string, Buffer>> {
  const opened = await open(zip);
  try {
    if (opened.entryCount > BUNDLE_LIMITS.files * 2) throw tooLarge(`more than ${BUNDLE_LIMITS.files} files`);
    return await readEntries(opened);
  } finally {
    opened.close();
  }
}

async function readEntries(zip: ZipFile): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  let total = 0;
  for (;;) {
    const entry = await nextEntry(zip);
    if (!entry) return files;
    if (entry.fileName.endsWith("/")) continue;
    assertPlainFile(entry);
    if (files.has(entry.fileName)) throw refused(`${entry.fileName} is in it twice`);
    if (files.size >= BUNDLE_LIMITS.files) throw tooLarge(`more than ${BUNDLE_LIMITS.files} files`);
    total += entry.uncompressedSize;
    if (entry.uncompressedSize > BUNDLE_LIMITS.fileBytes)
      throw tooLarge(`${entry.fileName} with more than ${BUNDLE_LIMITS.fileBytes} bytes`);
    if (total > BUNDLE_LIMITS.totalBytes) throw tooLarge(`more than ${BUNDLE_LIMITS.totalBytes} bytes`);
    files.set(entry.fileName, await readEntry(zip, entry));
  }
}

function assertPlainFile(entry: Entry): void {
  const mode = entry.externalFileAttributes >>> 16;
  const type = mode & TYPE_BITS;
  if (type === SYMLINK) throw refused(`${entry.fileName} is a link`);
  if (type !== 0 && type !== REGULAR_FILE) throw refused(`${entry.fileName} is no plain file`);
  if (entry.generalPurposeBitFlag & IS_ENCRYPTED) throw refused(`${entry.fileName} is encrypted`);
  const refusal = refusalOfPath(entry.fileName);
  if (refusal !== undefined) throw refused(`${entry.fileName.slice(0, 200)} ${refusal}`);
}

function open(zip: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // An entry that unpacks to more than its declared size is an error.
    const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true };
    fromBuffer(zip, options, (error, opened) => {
      if (opened) resolve(opened);
      else reject(refused(messageOf(error)));
    });
  });
}

function nextEntry(zip: ZipFile): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    const done = (result: Entry | undefined, error?: Error): void => {
      zip.removeAllListeners();
      if (error) reject(refused(error.message));
      else resolve(result);
    };
    zip.once("entry", (entry: Entry) => done(entry));
    zip.once("end", () => done(undefined));
    zip.once("error", (error: Error) => done(undefined, error));
    zip.readEntry();
  });
}

function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (!stream) return reject(refused(messageOf(error)));
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("end", () => resolve(Buffer.concat(chunks)));
      stream.once("error", (cause: Error) => reject(refused(`${entry.fileName}: ${cause.message}`)));
    });
  });
}

function refused(why: string): AppError {
  return new AppError("validation_failed", `The bundle cannot be accepted: ${why.replace(/\.+$/, "")}.`);
}

function tooLarge(what: string): AppError {
  return new AppError("payload_too_large", `The bundle is too large: it has ${what}.`);
}
