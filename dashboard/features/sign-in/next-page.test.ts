import { expect, it } from "vitest";
import { nextPage } from "./next-page.ts";

it.each([
  ["", "/"],
  ["?next=%2Fmembers", "/members"],
  ["?next=%2Fcalls%3Ftext%3Dcard%26status%3Dfailed", "/calls?text=card&status=failed"],
  ["?next=%2Fsettings%2Fmembers", "/settings/members"],
  ["?next=%2Fsign-in", "/"],
  ["?next=%2Fsign-in%2Foidc%2Facme", "/"],
  ["?next=https%3A%2F%2Fevil.example%2Fcalls", "/"],
  ["?next=%2F%2Fevil.example%2Fcalls", "/"],
  ["?next=%5C%5Cevil.example", "/"],
  ["?next=javascript%3Aalert(1)", "/"],
])("%j leads to %s", (search, page) => {
  expect(nextPage(search, "https://parley.example")).toBe(page);
});
