import { z } from "zod";
import type { Connector } from "../../connector.ts";
import { googleConsent, googleRefusal } from "../google.ts";
import { actions } from "./actions.ts";
import { rangesText } from "./ranges.ts";
import { verify } from "./verify.ts";

const spreadsheet = z
  .string()
  .trim()
  .overwrite((value) => /\/spreadsheets\/d\/([^/?#]+)/.exec(value)?.[1] ?? value)
  .regex(/^[A-Za-z0-9_-]{20,100}$/, "the address of a spreadsheet, or its ID");

export const connector: Connector = {
  id: "google-sheets",
  name: "Google Sheets",
  category: "Databases",
  about: "Reads rows of a spreadsheet and appends to it, in ranges that you name.",
  authKind: "oauth2",
  docsUrl: "https://developers.google.com/workspace/sheets/api/scopes",
  credentials: [],
  settings: [
    {
      key: "spreadsheet",
      label: "Spreadsheet",
      help: "Its address in the browser, or its ID. Required before anything can be read.",
      placeholder: "https://docs.google.com/spreadsheets/d/…",
      isOptional: true,
      schema: spreadsheet,
    },
    {
      key: "ranges",
      label: "Ranges",
      help: "One per line: a name and a range whose first row has the column names. Agents can access nothing else.",
      placeholder: "orders Orders!A:F",
      isOptional: true,
      isLong: true,
      schema: rangesText,
    },
  ],
  apiHosts: () => ["sheets.googleapis.com"],
  authorized: (_credentials, token) => ({ authorization: `Bearer ${token}` }),
  oauth: googleConsent("spreadsheets"),
  refusalOf: googleRefusal,
  verify,
  actions,
};
