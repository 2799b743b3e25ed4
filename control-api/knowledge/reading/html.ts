import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { parse, serialize } from "parse5";
import Turndown from "turndown";
import type { ReadDocument } from "./document.ts";

/** Elements without text, or without text worth hearing. */
const LEFT_OUT = "script, style, noscript, template, iframe, object, svg, canvas, form, button, nav, footer";

/** Further links of a page are ignored. */
const MAX_LINKS = 2_000;

/** Reads an HTML page: its article if it has one, else all its text; and its links. */
export function readHtml(html: string): ReadDocument {
  const { document } = parseHTML(wholePage(html));
  const title = document.querySelector("title")?.textContent?.trim();
  // Collected before menus are removed, as their links count.
  const links = linksOf(document);
  for (const element of document.querySelectorAll(LEFT_OUT)) element.remove();
  const whole = document.body?.innerHTML ?? "";
  // Readability modifies the document.
  const article = new Readability(document).parse();
  return {
    title: title === undefined || title === "" ? undefined : title,
    markdown: markdownOf(article?.content ?? whole),
    links,
  };
}

function linksOf(document: Document): string[] {
  const asks = document.querySelector('meta[name="robots" i]')?.getAttribute("content") ?? "";
  if (/\b(?:nofollow|none)\b/i.test(asks)) return [];
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  return [...document.querySelectorAll("a[href]")]
    .filter((link) => !/\bnofollow\b/i.test(link.getAttribute("rel") ?? ""))
    .slice(0, MAX_LINKS)
    .map((link) => joined(link.getAttribute("href") ?? "", base));
}

/** Resolves a link only if the page declares a base; the caller resolves it against the page's address. */
function joined(href: string, base: string): string {
  if (base === "") return href;
  try {
    return new URL(href, base).href;
  } catch {
    return href;
  }
}

/** Adds the tags that browsers infer, which the code below relies on. */
function wholePage(html: string): string {
  return serialize(parse(html));
}

/** HTML as Markdown: headings, lists and tables keep their structure, images are dropped. */
export function markdownOf(html: string): string {
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.remove(["img", "script", "style"] as Turndown.Filter);
  turndown.addRule("link", { filter: "a", replacement: (text) => text });
  turndown.addRule("row", {
    filter: "tr",
    replacement: (_, row) => `${[...row.childNodes].map(textOf).filter(Boolean).join(" | ")}\n\n`,
  });
  return turndown.turndown(html);
}

function textOf({ textContent }: Node): string {
  return (textContent ?? "").replaceAll(/\s+/g, " ").trim();
}
