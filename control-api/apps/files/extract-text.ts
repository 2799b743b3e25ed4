import { MAX_MESSAGE_CHARS } from "@parley/platform/methods/ai.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { DocumentFormat } from "@parley/shared/contracts/knowledge.ts";
import { UnreadableDocument } from "../../knowledge/reading/document.ts";
import { readAllInWorker } from "../../knowledge/reading/in-worker.ts";

const FORMATS: Readonly<Record<string, DocumentFormat>> = { pdf: "pdf", docx: "docx", txt: "txt", md: "md" };

/** The format by file extension, as apps store no type. Throws `BridgeError` invalid_arguments. */
export function formatOf(path: string): DocumentFormat {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const format = Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined;
  if (format) return format;
  throw new BridgeError(
    "invalid_arguments",
    `The text of ${path} cannot be read: its name ends in none of ${Object.keys(FORMATS).join(", ")}.`,
  );
}

/** A document's text, up to what a model takes in one message. Throws `BridgeError` invalid_arguments if unreadable. */
export async function textIn(
  bytes: Buffer,
  format: DocumentFormat,
  signal: AbortSignal,
): Promise<{ text: string; truncated: boolean }> {
  try {
    const { markdown } = await readAllInWorker(format, bytes, signal);
    const truncated = markdown.length > MAX_MESSAGE_CHARS;
    return { text: truncated ? markdown.slice(0, MAX_MESSAGE_CHARS).toWellFormed() : markdown, truncated };
  } catch (error) {
    if (error instanceof UnreadableDocument) throw new BridgeError("invalid_arguments", error.message);
    throw error;
  }
}
