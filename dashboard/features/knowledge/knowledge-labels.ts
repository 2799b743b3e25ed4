import { DOCUMENT_TYPES } from "@parley/shared/contracts/document-types.ts";
import type {
  KnowledgeBase,
  KnowledgeCrawl,
  KnowledgeDocument,
  KnowledgeLanguage,
  KnowledgeMeaning,
} from "@parley/shared/contracts/knowledge.ts";

/** Names of the languages a base may have. */
export const LANGUAGE_NAMES: Readonly<Record<KnowledgeLanguage, string>> = {
  en: "English",
  de: "German",
  fr: "French",
  es: "Spanish",
  it: "Italian",
  pt: "Portuguese",
  nl: "Dutch",
  da: "Danish",
  sv: "Swedish",
  nb: "Norwegian",
  fi: "Finnish",
  ru: "Russian",
  tr: "Turkish",
  hu: "Hungarian",
  ro: "Romanian",
  other: "Another language",
};

/** Media types by file extension; browsers do not know all of them. */
const TYPES_BY_ENDING = new Map<string, string>([
  ...Object.entries(DOCUMENT_TYPES).map(([type, format]): [string, string] => [format, type]),
  ["htm", "text/html"],
  ["markdown", "text/markdown"],
]);

/** Readable file extensions, in the form a file picker takes. */
export const FILE_ENDINGS = [...TYPES_BY_ENDING.keys()].map((ending) => `.${ending}`).join(",");

/** A file's media type; undefined for one that cannot be read. */
export function typeOfFile(name: string): string | undefined {
  return TYPES_BY_ENDING.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
}

/** How much a base contains. */
export function baseText({ documents, parts, language }: KnowledgeBase): string {
  if (documents === 0) return "No documents yet";
  return `${counted(documents, "document")}, ${counted(parts, "passage")}, ${LANGUAGE_NAMES[language]}`;
}

/** How documents are searched. */
export function meaningText({ state, model, why, waiting }: KnowledgeMeaning): string {
  switch (state) {
    case "off":
      return "Searched by words. The operator of this server can add an embeddings service to search by meaning as well.";
    case "unavailable":
      return `Searched by words alone, although ${model} is configured to search by meaning as well. ${why}`;
    case "on":
      return waiting === 0
        ? `Searched by words, and by meaning with ${model}.`
        : `Searched by words, and by meaning with ${model}; ${counted(waiting, "document")} still to be embedded.`;
    default:
      return state satisfies never;
  }
}

/** A document's state. */
export function stateText({ state, parts, error }: KnowledgeDocument): string {
  switch (state) {
    case "queued":
      return "Waiting to be read";
    case "reading":
      return "Being read…";
    case "ready":
      return counted(parts, "passage");
    case "failed":
      return parts > 0
        ? `Could not be read again; agents use what was read before. ${error ?? ""}`
        : (error ?? "Could not be read.");
    default:
      return state satisfies never;
  }
}

/** A document's source. */
export function sourceText({ source, format, url, refreshHours }: KnowledgeDocument): string {
  if (source === "text") return "Text";
  if (source === "upload") return format === null ? "File" : `File (${format})`;
  return refreshHours === 0 ? (url ?? "") : `${url ?? ""}, read again every ${counted(refreshHours, "hour")}`;
}

/** Progress of crawling a site. */
export function crawlText({ state, pages, error }: KnowledgeCrawl): string {
  const done = pages.ready + pages.failed;
  const failed = pages.failed === 0 ? "" : `, ${pages.failed} could not be read`;
  switch (state) {
    case "reading":
      return `Reading: ${done} of ${counted(done + pages.waiting, "page")} found so far${failed}`;
    case "ready":
      return `${counted(pages.ready, "page")}${failed}`;
    case "failed":
      return error ?? "Could not be read.";
    default:
      return state satisfies never;
  }
}

/** How much of a site is crawled, and when. */
export function crawlBoundsText({ maxPages, maxDepth, refreshHours }: KnowledgeCrawl): string {
  const bounds = `up to ${counted(maxPages, "page")}, ${counted(maxDepth, "link")} deep`;
  return refreshHours === 0 ? bounds : `${bounds}, read again every ${counted(refreshHours, "hour")}`;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;
}
