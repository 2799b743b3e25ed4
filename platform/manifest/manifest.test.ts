import { expect, it } from "vitest";
import { manifestJsonSchema, manifestSchema } from "./manifest.ts";
import { ICONS, iconOf } from "./surfaces.ts";

const MANIFEST = {
  id: "call-notes",
  name: "Call notes",
  version: "1.0.0",
  scopes: ["objects:note", "http:*.zendesk.com"],
  ui: { entry: "index.js", pages: [{ id: "panel", title: "Notes" }] },
};

it("takes the least a manifest can be", () => {
  expect(manifestSchema.parse(MANIFEST)).toEqual(MANIFEST);
});

it("refuses what it does not know, paths out of the bundle, and ids that are none", () => {
  const refused = (change: object): boolean => !manifestSchema.safeParse({ ...MANIFEST, ...change }).success;
  expect(refused({ color: "red" })).toBe(true);
  expect(refused({ id: "Call Notes" })).toBe(true);
  expect(refused({ version: "1.0" })).toBe(true);
  expect(refused({ scopes: ["everything"] })).toBe(true);
  for (const entry of [
    "../index.js",
    "/index.js",
    "a/../index.js",
    "https://example.com/a.js",
    "index.html",
    "./a.js",
  ])
    expect(refused({ ui: { ...MANIFEST.ui, entry } }), entry).toBe(true);
  expect(
    refused({ ui: { ...MANIFEST.ui, extensions: [{ slot: "call_detail_panel", title: "No page" }] } }),
  ).toBe(true);
  expect(
    refused({ ui: { ...MANIFEST.ui, extensions: [{ slot: "sidebar", page_id: "panel", title: "T" }] } }),
  ).toBe(true);
});

it("draws an icon it does not know as a box, and knows 27", () => {
  expect(ICONS).toHaveLength(27);
  expect(iconOf("phone")).toBe("phone");
  expect(iconOf("rocket")).toBe("box");
  expect(iconOf("constructor")).toBe("box");
});

it("is a JSON Schema for editors", () => {
  expect(manifestJsonSchema()).toMatchObject({
    type: "object",
    required: ["id", "name", "version", "scopes", "ui"],
  });
});
