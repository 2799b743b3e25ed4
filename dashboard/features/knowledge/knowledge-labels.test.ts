import type { KnowledgeCrawl, KnowledgeDocument } from "@parley/shared/contracts/knowledge.ts";
import { expect, test } from "vitest";
import {
  crawlBoundsText,
  crawlText,
  meaningText,
  sourceText,
  stateText,
  typeOfFile,
} from "./knowledge-labels.ts";

const document: KnowledgeDocument = {
  id: "doc_1",
  name: "Prices",
  source: "url",
  url: "https://example.com/prices",
  crawlId: null,
  format: "html",
  state: "ready",
  error: null,
  parts: 1,
  chars: 100,
  refreshHours: 24,
  readAt: null,
  createdAt: "2026-01-01T00:00:00Z",
};

test("a document that could not be read again says that what was read before is used", () => {
  const failed = { ...document, state: "failed", error: "The server of the address returned 410." } as const;
  expect(stateText(failed)).toBe(
    "Could not be read again; agents use what was read before. The server of the address returned 410.",
  );
  expect(stateText({ ...failed, parts: 0 })).toBe("The server of the address returned 410.");
  expect(stateText(document)).toBe("1 passage");
});

test("a page says how often it is read again", () => {
  expect(sourceText(document)).toBe("https://example.com/prices, read again every 24 hours");
});

test("a file's type follows from its name, as browsers do not know Markdown", () => {
  expect(typeOfFile("notes.MD")).toBe("text/markdown");
  expect(typeOfFile("report.pdf")).toBe("application/pdf");
  expect(typeOfFile("picture.png")).toBeUndefined();
  expect(typeOfFile("README")).toBeUndefined();
});

test("a site says how far it is, and what of it could not be read", () => {
  const crawl: KnowledgeCrawl = {
    id: "crawl_1",
    url: "https://example.com/",
    maxPages: 50,
    maxDepth: 1,
    refreshHours: 24,
    state: "reading",
    error: null,
    pages: { waiting: 4, ready: 2, failed: 1 },
    readAt: null,
    createdAt: "2026-01-01T00:00:00Z",
  };
  expect(crawlText(crawl)).toBe("Reading: 3 of 7 pages found so far, 1 could not be read");
  const pages = { waiting: 0, ready: 6, failed: 1 };
  expect(crawlText({ ...crawl, state: "ready", pages })).toBe("6 pages, 1 could not be read");
  expect(crawlText({ ...crawl, state: "failed", error: "The site is away." })).toBe("The site is away.");
  expect(crawlBoundsText(crawl)).toBe("up to 50 pages, 1 link deep, read again every 24 hours");
});

test("a page says whether knowledge is searched by meaning, and why not", () => {
  const off = { state: "off", model: null, why: null, waiting: 0 } as const;
  expect(meaningText(off)).toContain("Searched by words. The operator");
  const why = "This Postgres has no pgvector: install the package of its version.";
  expect(meaningText({ ...off, state: "unavailable", model: "small", why })).toContain(why);
  const on = { ...off, state: "on", model: "small" } as const;
  expect(meaningText(on)).toBe("Searched by words, and by meaning with small.");
  expect(meaningText({ ...on, waiting: 2 })).toContain("2 documents still to be embedded");
});
