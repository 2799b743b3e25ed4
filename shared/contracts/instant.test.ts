import { expect, it } from "vitest";
import { instantSchema } from "./instant.ts";

it.each([
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59+00:01",
  "2026-11-22T10:00:00+01:00",
])("takes %s, which a database knows", (text) => {
  expect(instantSchema.safeParse(text).success).toBe(true);
});

it.each(["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "yesterday"])(
  "refuses %s",
  (text) => {
    expect(instantSchema.safeParse(text).success).toBe(false);
  },
);
