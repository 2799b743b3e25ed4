import type { FakeConsents } from "./fake-consents.ts";
import { FakeVendor, ok, type Reply, type VendorCall } from "./fake-vendor.ts";
import { googleConsents, googleError } from "./google-calendar.ts";

export const SPREADSHEET = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms";

const BASE = `/v4/spreadsheets/${SPREADSHEET}`;
const sheet = (title: string) => ({ properties: { title } });
const ORDERS = [
  ["number", "email", "status"],
  ["1001", "ada@example.com", "sent"],
  ["1002", "ben@example.com"],
];

function handle({ method, path, query, body }: VendorCall): Reply | undefined {
  switch (`${method} ${decodeURIComponent(path)}`) {
    case `GET ${BASE}`:
      return ok({ properties: { title: "Shop" }, sheets: [sheet("Orders"), sheet("Our leads")] });
    case `GET ${BASE}/values/Orders!A:C`:
      return ok({ range: "Orders!A1:C3", majorDimension: "ROWS", values: ORDERS });
    case `POST ${BASE}/values/'Our leads'!A:B:append`:
      return query.valueInputOption === "RAW" && Array.isArray(body.values)
        ? ok({ spreadsheetId: SPREADSHEET, updates: { updatedRange: "'Our leads'!A5:B5", updatedRows: 1 } })
        : googleError(400, "'valueInputOption' is required but not specified", "badRequest");
    default:
      return undefined;
  }
}

export function startFakeGoogleSheets(consents: FakeConsents = googleConsents()): Promise<FakeVendor> {
  return FakeVendor.start({
    handle: (call) => consents.handle(call) ?? handle(call),
    refusal: (call) =>
      consents.isAbout(call) || consents.isKnown(call)
        ? undefined
        : googleError(401, "Request had invalid authentication credentials.", "authError"),
    isSpared: (call) => consents.isAbout(call),
    notFound: googleError(404, "Requested entity was not found.", "notFound"),
  });
}
