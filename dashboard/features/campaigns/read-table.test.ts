import { describe, expect, it } from "vitest";
import { mappingOf, readTable, textOfFile, usualUses } from "./read-table.ts";

const CSV = "phone;Straße\n+4915112345678;Müllerweg 1\n";

function file(bytes: Uint8Array<ArrayBuffer>): File {
  return new File([bytes], "people.csv");
}

function utf16(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));
}

describe("a file of people", () => {
  it.each([
    ["UTF-8", new Uint8Array(Buffer.from(CSV))],
    ["UTF-8 with a byte order mark", new Uint8Array(Buffer.from(`\uFEFF${CSV}`))],
    ["the encoding of older spreadsheets", new Uint8Array(Buffer.from(CSV, "latin1"))],
    ["UTF-16", utf16(CSV)],
  ])("in %s is read with its letters", async (_encoding, bytes) => {
    const table = readTable(await textOfFile(file(bytes)));
    expect(table).toEqual({
      names: ["phone", "Straße"],
      rows: [{ phone: "+4915112345678", Straße: "Müllerweg 1" }],
    });
  });

  it("of 50 MB is refused before it is read", async () => {
    const large = file(new Uint8Array(50 * 1_048_576));
    await expect(textOfFile(large)).rejects.toThrow("The file has 50 MB; at most 25 MB are read.");
  });

  it("of more people than a campaign takes is refused", () => {
    const csv = `phone\n${"+4915112345678\n".repeat(100_001)}`;
    expect(() => readTable(csv)).toThrow("The table has 100001 rows");
  });
});

describe("the columns of a table", () => {
  it("are used by their names, until somebody chooses", () => {
    const uses = usualUses(["Mobile", "tz", "First name"]);
    expect(uses).toEqual({ Mobile: "phone", tz: "timezone", "First name": "variable" });
    expect(mappingOf(uses)).toEqual({
      phone: "Mobile",
      timezone: "tz",
      variables: { First_name: "First name" },
    });
    expect(mappingOf({ Nummer: "variable" })).toEqual({ variables: { Nummer: "Nummer" } });
  });
});
