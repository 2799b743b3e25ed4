import { z } from "zod";
import type { ConnectorContext, Verified } from "../../connector.ts";
import { read } from "../read.ts";
import { rangesOf, spreadsheetUrl } from "./ranges.ts";

const spreadsheet = z.object({
  properties: z.object({ title: z.string() }),
  sheets: z.array(z.object({ properties: z.object({ title: z.string() }) })),
});

export async function verify({ vendor, settings }: ConnectorContext): Promise<Verified> {
  const { spreadsheet: id, ranges } = settings;
  // Consent precedes the spreadsheet, and its scope allows no other request to verify with.
  if (id === undefined) return { warnings: ["No spreadsheet is entered yet: enter one and its ranges."] };
  const fields = "properties.title,sheets.properties.title";
  const { body } = await vendor.send({ url: spreadsheetUrl(id), query: { fields } });
  const { properties, sheets } = read(spreadsheet, body);
  const titles = new Set(sheets.map((sheet) => sheet.properties.title));
  const named = rangesOf(ranges);
  const lost = named.filter(({ range }) => range.includes("!") && !titles.has(sheetOf(range)));
  const warnings = lost.map(({ name, range }) => `The range ${name} is in no sheet of it (${range}).`);
  if (named.length === 0) warnings.push("No range is entered yet: agents can reach nothing.");
  return { account: properties.title, warnings };
}

/** The sheet of `'Our orders'!A:F`, where two quotes stand for one. */
function sheetOf(range: string): string {
  const sheet = range.slice(0, range.lastIndexOf("!"));
  return /^'.*'$/.test(sheet) ? sheet.slice(1, -1).replaceAll("''", "'") : sheet;
}
