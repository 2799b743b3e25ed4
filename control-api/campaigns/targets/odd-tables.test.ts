import type { Mapping } from "@parley/shared/contracts/campaigns.ts";
import { describe, expect, it } from "vitest";
import { readCsv } from "../read-csv.ts";
import { readRows, rowsOfTable } from "./read-rows.ts";

const PHONE = "+4915112345678";

function read(csv: string, mapping: Mapping = {}) {
  return readRows(rowsOfTable(readCsv(csv)), mapping);
}

function variablesIn(csv: string, mapping: Mapping = {}) {
  const { targets, refused } = read(csv, mapping);
  expect(refused).toEqual([]);
  return targets.map(({ variables }) => variables);
}

describe("a CSV file that is not as one would write it", () => {
  it.each([
    ["with a byte order mark", `\uFEFFphone,name\n${PHONE},Eva`],
    ["with semicolons", `phone;name\n${PHONE};Eva`],
    ["with tabs", `phone\tname\n${PHONE}\tEva`],
    ["with a line that names the delimiter", `sep=;\r\nphone;name\r\n${PHONE};Eva`],
    ["with commas in a header that semicolons divide", `phone;"name, given, or other"\n${PHONE};Eva`],
    ["with the line ends of an old Mac", `phone,name\r${PHONE},Eva\r`],
    ["with quotes around everything", `"phone","name"\r\n"${PHONE}","Eva"\r\n`],
    ["with blank lines and the empty rows of a spreadsheet", `\n\nphone,name\n\n${PHONE},Eva\n,\n,\n`],
    ["with delimiters at the end of each line", `phone,name,,\n${PHONE},Eva,,`],
  ])("%s is read all the same", (_how, csv) => {
    expect(Object.values(variablesIn(csv)[0] ?? {})).toEqual(["Eva"]);
  });

  it("keeps line breaks, quotes and delimiters inside of quotes", () => {
    const csv = `phone,note\n${PHONE},"says ""hi"",\nthen hangs up"\n+4915112345679,plain`;
    expect(variablesIn(csv)).toEqual([{ note: 'says "hi",\nthen hangs up' }, { note: "plain" }]);
  });

  it("has the columns that a mapping chooses, under its names, and no others", () => {
    const csv = `Nummer,Vorname,Geheim\n${PHONE},Eva,x`;
    const mapping = { phone: "Nummer", variables: { name: "Vorname" } };
    expect(variablesIn(csv, mapping)).toEqual([{ name: "Eva" }]);
  });

  it.each([
    ["two columns of one name", `phone,name,name\n${PHONE},Eva,Ann`, 'Two columns are named "name"'],
    [
      "two columns that would become one variable",
      `phone,first name,first_name\n${PHONE},Eva,Ann`,
      '"first name" and "first_name" would both become the variable first_name',
    ],
    ["no column of numbers", `name\nEva`, "No column is named phone"],
    ["only a header", "phone,name\n", "at least one row"],
    ["more values in a row than columns", `phone,debt\n${PHONE},1\n${PHONE},1,50`, "Row 2 has 3 values"],
    ["a quote that is never closed", `phone,name\n${PHONE},"Eva`, "cannot be read"],
  ])("is refused for %s, and says so", (_what, csv, message) => {
    expect(() => read(csv)).toThrow(message);
  });

  it("is refused for a column that its mapping names and it has not", () => {
    const csv = `phone,name\n${PHONE},Eva`;
    for (const mapping of [{ phone: "Tel" }, { timezone: "Zone" }, { variables: { debt: "Schuld" } }])
      expect(() => read(csv, mapping)).toThrow(/There is no column "(Tel|Zone|Schuld)"/);
  });

  it("is refused for more columns than any list of people has", () => {
    const names = Array.from({ length: 1_000 }, (_, nr) => `column_${nr}`);
    expect(() => read(`phone,${names.join(",")}\n${PHONE},1`)).toThrow("more than 1000 columns");
  });

  it("costs what its rows hold, however many columns its header names", () => {
    const names = Array.from({ length: 900 }, (_, nr) => `column_${nr}`);
    const table = readCsv(`phone,${names.join(",")}\n${PHONE},1\n+4915112345679,2`);
    const [first = {}, second = {}] = rowsOfTable(table);
    expect(Object.keys(first)).toEqual(["phone", ...names]);
    expect(second).toEqual({ phone: "+4915112345679", column_0: "2" });
  });

  it("is refused for a mapping of more variables than a call has", () => {
    const variables = Object.fromEntries(Array.from({ length: 91 }, (_, nr) => [`name_${nr}`, "name"]));
    expect(() => read(`phone,name\n${PHONE},Eva`, { variables })).toThrow("at most 90");
  });

  it.each([3_998, 3_999, 4_000])(
    "keeps 4,000 characters of a value, and half of none, after %i others",
    (others) => {
      const [{ note = "" } = {}] = variablesIn(`phone,note\n${PHONE},${"x".repeat(others)}👋👋`);
      expect(note).toBe(others === 3_998 ? `${"x".repeat(others)}👋` : "x".repeat(others));
    },
  );

  it("leaves out what rows lack at their end", () => {
    expect(variablesIn(`phone,name,debt\n${PHONE},Eva`)).toEqual([{ name: "Eva" }]);
  });
});
