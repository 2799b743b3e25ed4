import { describe, expect, it } from "vitest";
import { pdfFile, UNNAMED, wordFile } from "../../../testkit/office-files.ts";
import { UnreadableDocument } from "./document.ts";
import { extract } from "./extract.ts";
import { readInWorker } from "./in-worker.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const never = new AbortController().signal;

describe("a document is read as Markdown", () => {
  it("of a page: its headings, lists and tables, and nothing that is no text", async () => {
    const html = `<html><head><title> Our shop </title><script>alert(1)</script></head><body>
      <nav>Home Products</nav><main><h1>Shop</h1><p>We sell <b>shoes</b>.</p><ul><li>Red</li><li>Blue</li></ul>
      <table><tr><th>Size</th><th>Price</th></tr><tr><td>42</td><td>80 dollars</td></tr></table>
      <form><input value="card number"></form></main><style>p{}</style></body></html>`;
    const { title, markdown } = await extract("html", bytes(html));
    expect(title).toBe("Our shop");
    expect(markdown).toContain("We sell **shoes**.");
    expect(markdown).toMatch(/- +Red/);
    expect(markdown).toContain("42 | 80 dollars");
    expect(markdown).not.toMatch(/alert|card number|p\{\}/);
  });

  it.each([
    "<h1>Hours</h1><p>Nine to five.",
    "<title>x</title><body><h1>Hours</h1><p>Nine to five.</p></body>",
  ])("of a page that leaves tags out: %s", async (html) => {
    const { markdown } = await extract("html", bytes(html));
    expect(markdown).toMatch(/^#+ Hours\n\nNine to five\.$/);
  });

  it("of a Word document and a PDF", async () => {
    const word = await extract("docx", wordFile(["# Returns", "Within thirty days."]));
    expect(word.markdown).toBe("# Returns\n\nWithin thirty days.");
    const pdf = await extract("pdf", pdfFile(["Delivery takes two days.", "# not a heading"]));
    expect(pdf.markdown).toBe("Delivery takes two days.\n\n\\# not a heading");
  });

  it("of a PDF whose font names no character for a ligature, without the NUL that stands there", async () => {
    const { markdown } = await extract("pdf", pdfFile([`Con${UNNAMED}rm in two days.`]));
    expect(markdown).toBe("Conrm in two days.");
  });

  it("of a table: each row with the names of its columns, whatever parts them", async () => {
    const { markdown } = await extract("csv", bytes('name;price\n"Shoe; red";80\nHat;\n'));
    expect(markdown).toBe("name: Shoe; red; price: 80\n\nname: Hat");
  });
});

describe("what cannot be read says what to do", () => {
  it.each([
    ["a PDF that is none", "pdf", bytes("hello"), "no PDF that can be read"],
    ["a PDF of pictures", "pdf", pdfFile(["", ""]), "text recognition"],
    ["a Word document that is none", "docx", bytes("PK\u0003\u0004 hello"), "no Word document"],
    ["a zip that is no document", "docx", wordFile([]).slice(0, 200), "no Word document"],
    ["a text in another encoding", "txt", new Uint8Array([0x47, 0xfc, 0x6e]), "UTF-8"],
    ["a table with an open quote", "csv", bytes('a,b\n"1,2\n'), "cannot be read"],
  ] as const)("%s", async (_, format, file, words) => {
    const refused = extract(format, file);
    await expect(refused).rejects.toThrow(UnreadableDocument);
    await expect(refused).rejects.toThrow(words);
  });

  it("a small file that is a large one once it is unpacked", async () => {
    const bomb = wordFile(["Hello."], { "word/media/a.bin": new Uint8Array(52 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(1024 * 1024);
    await expect(extract("docx", bomb)).rejects.toThrow("too large once it is unpacked");
  });
});

describe("a document is read in a thread of its own", () => {
  it("which gives what was read, or says why not", async () => {
    const read = await readInWorker("md", bytes("# Hello\n\nYou."), never);
    const parts = [{ heading: "Hello", text: "You." }];
    expect(read).toEqual({ title: undefined, markdown: "# Hello\n\nYou.", parts });
    await expect(readInWorker("pdf", bytes("hello"), never)).rejects.toThrow("no PDF that can be read");
    await expect(readInWorker("txt", bytes(" \n"), never)).rejects.toThrow("There is no text in it.");
  });

  it("which splits it as well, so that a text made to be slow costs no caller anything", async () => {
    const quoted = `${">".repeat(300)} Hours\n\n${"[".repeat(300)}Prices`;
    const { parts } = await readInWorker("md", bytes(quoted), never);
    expect(parts.map(({ text }) => text).join("\n")).toMatch(/^Hours\n\[+Prices$/);
  });

  it("which ends with whoever asked", async () => {
    const asked = new AbortController();
    const reading = readInWorker("md", bytes("# Hello"), asked.signal);
    asked.abort(new Error("stopping"));
    await expect(reading).rejects.toThrow("stopping");
  });
});
