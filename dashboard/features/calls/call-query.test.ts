import { expect, test } from "vitest";
import { callQuery } from "./call-query.ts";

test("what is filtered and the page go to the API, and nothing else of the address", () => {
  const query = callQuery(new URLSearchParams("status=failed&text=card&before=call_1&number=&theme=dark"));
  expect(query.toString()).toBe("status=failed&text=card&before=call_1");
});

test("days are those of the reader, the last one included", () => {
  const query = callQuery(new URLSearchParams("from=2026-11-20&to=2026-11-20"));
  expect(query.get("from")).toBe(new Date(2026, 10, 20).toISOString());
  expect(query.get("to")).toBe(new Date(2026, 10, 21).toISOString());
  expect(callQuery(new URLSearchParams("from=yesterday")).has("from")).toBe(false);
});
