import { strToU8, zipSync } from "fflate";

const CONTENT_TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** A Word document of paragraphs; one that starts with `# ` is a heading. */
export function wordFile(paragraphs: readonly string[], more: Record<string, Uint8Array> = {}): Uint8Array {
  const body = paragraphs.map((text) => {
    const isHeading = text.startsWith("# ");
    const style = isHeading ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : "";
    return `<w:p>${style}<w:r><w:t>${isHeading ? text.slice(2) : text}</w:t></w:r></w:p>`;
  });
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join("")}</w:body></w:document>`;
  return zipSync({
    "[Content_Types].xml": strToU8(CONTENT_TYPES),
    "_rels/.rels": strToU8(RELATIONS),
    "word/document.xml": strToU8(document),
    ...more,
  });
}

/** In a PDF's line of text: a character that the font names NUL, as fonts of typesetting programs do for ligatures. */
export const UNNAMED = "~";
const NAMES =
  "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <7e> <0000> endbfchar endcmap";

/** A PDF with one line of text per page; "" makes a page without text. */
export function pdfFile(pages: readonly string[]): Uint8Array {
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${4 + pages.length * 2} 0 R >>`,
    ...pages.flatMap((text, i) => {
      const drawn = text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + i * 2} 0 R >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ];
    }),
    `<< /Length ${NAMES.length} >>\nstream\n${NAMES}\nendstream`,
  ];
  let file = "%PDF-1.4\n";
  const places = objects.map((object, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return strToU8(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}
