import { fileURLToPath } from "node:url";
import PDFDocument from "pdfkit";
import type { CreditNote } from "../credit-notes/store.ts";
import { dayOf } from "../lifecycle/days.ts";
import { CURRENCY, toDecimal } from "../money.ts";
import type { BillingProfile } from "../taxes/store.ts";
import { type Invoice, type InvoiceLine, outstandingOf } from "./store.ts";

export interface InvoiceDocument {
  readonly invoice: Invoice;
  readonly lines: readonly InvoiceLine[];
  readonly creditNotes: readonly CreditNote[];
  /** Undefined if the organization never said who is billed. */
  readonly profile: BillingProfile | undefined;
  readonly orgName: string;
  /** Name and address of the seller. */
  readonly seller: string;
}

/** pdfkit embeds only the letters in use. */
const FONT = fileURLToPath(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
const MARGIN = 50;
/** Where the columns of the lines begin and how wide they are; A4 is 595 points wide. */
const COLUMNS = [
  { x: 50, width: 230, align: "left" },
  { x: 285, width: 110, align: "right" },
  { x: 400, width: 145, align: "right" },
] as const;
const ROW_POINTS = 18;
/** Space between two rows. */
const GAP_POINTS = 6;
/** No row reaches below this; A4 is 842 points high. */
const BOTTOM = 780;

/** Renders an invoice as people file it: who, what for, how much, with which tax. */
export function invoicePdf(document: InvoiceDocument): Promise<Buffer> {
  const { invoice, seller } = document;
  const pdf = new PDFDocument({ size: "A4", margin: MARGIN, info: { Title: titleOf(invoice) } });
  pdf.font(FONT);
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
    pdf.on("end", () => resolve(Buffer.concat(chunks)));
    pdf.on("error", reject);
  });
  pdf.fontSize(9).text(printable(seller), { align: "right" });
  pdf
    .moveDown(2)
    .fontSize(11)
    .text(printable(customerOf(document)));
  pdf.moveDown(2).fontSize(18).text(titleOf(invoice));
  pdf.moveDown(0.5).fontSize(10);
  pdf.text(`Issued ${dayOf(invoice.issuedAt)}, due ${dayOf(invoice.dueAt)}`);
  pdf.text(`For ${invoice.periodStart} to ${invoice.periodEnd}`).moveDown();
  for (const row of rowsOf(document)) writeRow(pdf, row);
  pdf.end();
  return done;
}

function titleOf({ number, id }: Invoice): string {
  return `Invoice ${number ?? id}`;
}

function customerOf({ profile, orgName }: InvoiceDocument): string {
  if (!profile) return orgName;
  const { legalName, address, country, taxId } = profile;
  return [legalName, address, country, taxId && `Tax ID ${taxId}`].filter((part) => part !== "").join("\n");
}

type Row = readonly [what: string, quantity: string, amount: string];

function rowsOf({ invoice, lines, creditNotes }: InvoiceDocument): Row[] {
  const { subtotal, taxName, taxMillionths, tax, total } = invoice;
  const percent = toDecimal(taxMillionths * 100n).replace(/\.?0+$/, "");
  return [
    ["What was used", "Quantity", CURRENCY],
    ...lines.map(({ metric, vendor, quantity, amount }): Row => {
      const what = `${metric.replaceAll("_", " ")} (${vendor})`;
      return [what, quantity.toString(), toDecimal(amount)];
    }),
    ["", "", ""],
    ["Subtotal", "", toDecimal(subtotal)],
    ...(taxName === "" ? [] : [[`${taxName} ${percent} %`, "", toDecimal(tax)] as const]),
    ["Total, in whole cents", "", toDecimal(total)],
    ...creditNotes.map(
      (note): Row => [`Credit note ${note.number}: ${note.reason}`, "", toDecimal(-note.total)],
    ),
    [invoice.state === "paid" ? "Paid" : "To be paid", "", toDecimal(outstandingOf(invoice))],
  ];
}

function writeRow(pdf: PDFKit.PDFDocument, row: Row): void {
  const texts = COLUMNS.map((column, nr) => ({ ...column, text: printable(row[nr] ?? "") }));
  const heights = texts.map(({ text, width }) => pdf.heightOfString(text, { width }) + GAP_POINTS);
  const height = Math.max(ROW_POINTS, ...heights);
  if (pdf.y + height > BOTTOM) pdf.addPage();
  const { y } = pdf;
  for (const { text, x, width, align } of texts) pdf.text(text, x, y, { width, align });
  pdf.y = y + height;
}

/** Everything that the font has no letters for, or that is not written from left to right. */
const UNPRINTABLE =
  /[^\n\u0020-\u007e\u00a0-\u00bf\u2010-\u2027\u20a0-\u20bf\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}]/gu;

function printable(text: string): string {
  return text.normalize("NFC").replace(UNPRINTABLE, "?");
}
