import { Unzip, UnzipInflate } from "fflate";
import mammoth from "mammoth";
import { type ReadDocument, UnreadableDocument } from "./document.ts";
import { markdownOf } from "./html.ts";

/** Unpacked size of all files together: a small zip can hold a thousand times its size. */
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;
/** Input per step, which unpacks to at most a thousand times as much, so a zip bomb is noticed early. */
const STEP_BYTES = 16 * 1024;

/** Reads a Word document; headings, lists and tables keep their structure. */
export async function readDocx(bytes: Uint8Array): Promise<ReadDocument> {
  assertUnpacksWithin(bytes);
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }).catch((error: unknown) => {
    throw unreadable(error);
  });
  return { title: undefined, markdown: markdownOf(value) };
}

/** Counts the actual output, as declared sizes may be wrong. */
function assertUnpacksWithin(bytes: Uint8Array): void {
  let unpacked = 0;
  let failure: Error | undefined;
  const unzip = new Unzip((file) => {
    file.ondata = (error, chunk) => {
      failure ??= error ?? undefined;
      unpacked += chunk?.length ?? 0;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length && unpacked <= MAX_UNPACKED_BYTES; at += STEP_BYTES) {
      unzip.push(bytes.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= bytes.length);
    }
  } catch (error) {
    throw unreadable(error);
  }
  if (failure) throw unreadable(failure);
  if (unpacked > MAX_UNPACKED_BYTES) {
    throw new UnreadableDocument("The document is too large once it is unpacked. Split it.");
  }
}

function unreadable(cause: unknown): UnreadableDocument {
  const what = "The file is no Word document that can be read. Open it, save it as .docx and upload that.";
  return new UnreadableDocument(what, { cause });
}
