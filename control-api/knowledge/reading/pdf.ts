import { extractText, getDocumentProxy } from "unpdf";
import { type ReadDocument, UnreadableDocument } from "./document.ts";

const MAX_PAGES = 2_000;

/** Reads a PDF's text, one paragraph per block of lines. Scanned text is not recognized. */
export async function readPdf(bytes: Uint8Array): Promise<ReadDocument> {
  const pdf = await getDocumentProxy(bytes).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new UnreadableDocument(
      isLocked
        ? "The PDF is locked with a password. Save it without one and upload it again."
        : "The file is no PDF that can be read. Open it, save it as a PDF again and upload that.",
      { cause: error },
    );
  });
  if (pdf.numPages > MAX_PAGES) {
    throw new UnreadableDocument(`The PDF has more than ${MAX_PAGES} pages. Split it.`);
  }
  const { text } = await extractText(pdf, { mergePages: false });
  // Fonts that name no character for a ligature have NUL there, which no database stores.
  const markdown = text.map(escapeMarks).join("\n\n").replaceAll("\0", "").trim();
  if (markdown === "") {
    throw new UnreadableDocument(
      "The PDF has no text, only pictures of it. Run text recognition (OCR) on it first.",
    );
  }
  return { title: undefined, markdown };
}

/** Escapes characters at the start of a line that Markdown would interpret. */
function escapeMarks(text: string): string {
  return text.replaceAll(/^(\s*)([#>*+-])/gm, "$1\\$2");
}
