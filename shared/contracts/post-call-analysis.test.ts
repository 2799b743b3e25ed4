import { expect, it } from "vitest";
import { postCallAnalysisSchema } from "./post-call-analysis.ts";

const keysOf = (customFields: unknown) =>
  postCallAnalysisSchema.parse({ customFields }).customFields.map(({ key }) => key);

it("the first thirty fields of an analysis are kept, counted with those that have no key", () => {
  const fields = Array.from({ length: 40 }, (_, nr) => ({ key: nr < 5 ? " " : `k${nr}` }));
  expect(keysOf(fields)).toEqual(Array.from({ length: 25 }, (_, nr) => `k${nr + 5}`));
});

it.each([undefined, null, 7, {}, "currency", "x".repeat(1_000), "Number"])(
  "the type of a field is string where it is none of the four: %j",
  (type) => {
    const { customFields } = postCallAnalysisSchema.parse({ customFields: [{ key: "a", type }] });
    expect(customFields[0]?.type).toBe("string");
  },
);

it.each(["string", "number", "boolean", "date"])("the type of a field may be %s", (type) => {
  const { customFields } = postCallAnalysisSchema.parse({ customFields: [{ key: "a", type }] });
  expect(customFields[0]?.type).toBe(type);
});
