import { expect, it } from "vitest";
import { GOOGLE_TOKEN, googleError } from "../../../../testkit/fakes/connectors/google-calendar.ts";
import { SPREADSHEET, startFakeGoogleSheets } from "../../../../testkit/fakes/connectors/google-sheets.ts";
import { checkInput } from "../../connections/input.ts";
import { connectorContract, testNetwork } from "../connector.contract.ts";
import { connector } from "./definition.ts";

const COLUMNS = ["number", "email", "status"];
const ADA = ["1001", "ada@example.com", "sent"];
const ranges = "orders Orders!A:C\nnew 'Our leads'!A:B";
const settings = { spreadsheet: `https://docs.google.com/spreadsheets/d/${SPREADSHEET}/edit#gid=0`, ranges };
const tooOften = { error: { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED" } };

connectorContract({
  connector,
  start: () => startFakeGoogleSheets(),
  settings,
  forms: { consent: { accessToken: GOOGLE_TOKEN } },
  badCredentials: { accessToken: "ya29.nobody" },
  account: "Shop",
  cases: [
    {
      capability: "row.query",
      args: { name: "orders", params: { Email: "ADA@example.com" } },
      result: { columns: COLUMNS, rows: [ADA], truncated: false },
    },
    {
      capability: "row.query",
      args: { name: "orders" },
      result: { columns: COLUMNS, rows: [ADA, ["1002", "ben@example.com", ""]], truncated: false },
    },
    {
      capability: "row.append",
      args: { name: "new", values: ["=1+1", null] },
      result: { range: "'Our leads'!A5:B5" },
    },
  ],
  missing: { capability: "row.query", args: { name: "new" } },
  faults: {
    missingScope: googleError(
      403,
      "Request had insufficient authentication scopes.",
      "insufficientPermissions",
    ),
    rateLimited: { status: 429, json: tooOften, headers: { "retry-after": "30" } },
  },
});

it.each([
  [
    "a column that is not there",
    { name: "orders", params: { phone: "1" } },
    "There are: number, email, status.",
  ],
  ["a range that is not named", { name: "Orders!A:Z", params: {} }, "There are: orders, new."],
])("%s is refused, and what there is is listed", async (_what, args, words) => {
  const network = testNetwork();
  const fake = await startFakeGoogleSheets();
  const account = { ...checkInput(connector, { credentials: {}, settings }), facts: {} };
  const context = network.open(connector, fake.url, account, {
    deadlineMs: 5_000,
    accessToken: GOOGLE_TOKEN,
  });
  await expect(connector.actions["row.query"]?.(args, context)).rejects.toMatchObject({
    problem: "rejected",
    message: expect.stringContaining(words),
  });
  fake.close();
  await network.egress.close();
});

it.each(["orders", "1 A:B", "a A:B\na C:D"])("%j are no ranges", (text) => {
  expect(() => checkInput(connector, { credentials: {}, settings: { ranges: text } })).toThrow("range");
});
