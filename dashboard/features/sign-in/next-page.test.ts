import { expect, it } from "vitest";
import { nextPage } from "./next-page.ts";

it.each([
  ["", "/settings/keys"],
  ["?next=%2Fsettings%2Fmembers", "/settings/members"],
  ["?next=%2Fsettings%2Fcalls%3Ftext%3Dcard%26status%3Dfailed", "/settings/calls?text=card&status=failed"],
  ["?next=%2Fsign-in", "/settings/keys"],
  ["?next=https%3A%2F%2Fevil.example%2Fsettings", "/settings/keys"],
  ["?next=%2F%2Fevil.example%2Fsettings", "/settings/keys"],
  ["?next=%5C%5Cevil.example", "/settings/keys"],
  ["?next=javascript%3Aalert(1)", "/settings/keys"],
])("%j leads to %s", (search, page) => {
  expect(nextPage(search, "https://parley.example")).toBe(page);
});
