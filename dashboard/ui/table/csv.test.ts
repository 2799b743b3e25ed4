import { describe, expect, test } from "vitest";
import type { Column } from "./columns.ts";
import { csvOf, quoted } from "./csv.ts";

const COLUMNS: readonly Column<{ readonly name: string; readonly calls: number }>[] = [
  { id: "name", name: "Name", text: ({ name }) => name, cell: () => null },
  { id: "calls", name: "Calls", text: ({ calls }) => calls, cell: () => null },
];

describe("a list as CSV", () => {
  test("has a line of headings and one for each row", () => {
    expect(csvOf(COLUMNS, [{ name: 'Anna, "the first"', calls: 3 }])).toBe(
      '"Name","Calls"\r\n"Anna, ""the first""","3"\r\n',
    );
  });

  test.each(["=1+1", "+1 202 555 0123", "-cmd", "@sum", "\tx"])("makes no formula of %j", (value) => {
    expect(quoted(value)).toBe(`"'${value}"`);
  });

  test.each(["+12025550123", "-3", "-2.5"])("leaves the number %s as it is", (value) => {
    expect(quoted(value)).toBe(`"${value}"`);
  });
});
