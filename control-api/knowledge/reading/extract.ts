import type { DocumentFormat } from "@parley/shared/contracts/knowledge.ts";
import { type ReadDocument, UnreadableDocument } from "./document.ts";

/** Reads a document; loads only its format's reader. Throws `UnreadableDocument`; `inWorker` bounds time and memory. */
export async function extract(format: DocumentFormat, bytes: Uint8Array): Promise<ReadDocument> {
  switch (format) {
    case "pdf":
      return (await import("./pdf.ts")).readPdf(bytes);
    case "docx":
      return (await import("./docx.ts")).readDocx(bytes);
    case "html":
      return (await import("./html.ts")).readHtml(textOf(bytes));
    case "csv":
      return (await import("./csv.ts")).readCsv(textOf(bytes));
    case "md":
    case "txt":
      return { title: undefined, markdown: textOf(bytes) };
    default:
      return format satisfies never;
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\0", "");
  } catch (error) {
    const what = "The text is not in UTF-8. Save it in that encoding and upload it again.";
    throw new UnreadableDocument(what, { cause: error });
  }
}
