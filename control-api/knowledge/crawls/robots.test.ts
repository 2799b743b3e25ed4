import { expect, test } from "vitest";
import { parseRobots } from "./robots.ts";

const SITE = `# Welcome
User-agent: *
Disallow: /

User-agent: OtherBot
User-agent: Parley/2.0
Disallow: /private   # not for you
Allow: /private/open
Disallow: /*.pdf$
Disallow: /search*sort=
Disallow: /a%c3%a4
Disallow: /same
Allow: /same
Disallow:
`;

test.each([
  ["/", true],
  ["/private", false],
  ["/private/letters", false],
  ["/private/open/house", true],
  ["/files/prices.pdf", false],
  ["/files/prices.pdf?page=2", true],
  ["/search?q=x&sort=price", false],
  ["/search?q=x", true],
  ["/aä", false],
  ["/a%C3%A4/x", false],
  ["/same/length", true],
  ["/robots.txt", true],
])("robots.txt of a site that names Parley: %s is allowed: %s", (path, isAllowed) => {
  expect(parseRobots(SITE).allows(path)).toBe(isAllowed);
});

test("rules for everybody count where Parley is not named, and groups of one name are read together", () => {
  const rules = parseRobots("User-agent: *\r\nDisallow: /x\r\n\r\nUser-agent: *\r\nDisallow: /y\r\n");
  expect(["/x", "/y", "/z"].map((path) => rules.allows(path))).toEqual([false, false, true]);
});

test.each(["", "<html>not found</html>", "Disallow: /", "User-agent: GoogleBot\nDisallow: /"])(
  "what says nothing of Parley forbids nothing: %j",
  (text) => expect(parseRobots(text).allows("/any")).toBe(true),
);

test("a pattern made to be slow is not", () => {
  const rules = parseRobots(`User-agent: *\nDisallow: /${"*a".repeat(1_000)}$\n`);
  expect(rules.allows(`/${"a".repeat(20_000)}b`)).toBe(true);
});

test("of rules with more wildcards than any site has, those that are read are bounded", () => {
  const rule = (nr: number) => `Disallow: /${nr}/${"*a".repeat(999)}`;
  const rules = parseRobots(`User-agent: *\n${Array.from({ length: 20 }, (_, nr) => rule(nr)).join("\n")}\n`);
  const path = "a".repeat(1_000);
  expect(rules.allows(`/0/${path}`)).toBe(false);
  expect(rules.allows(`/9/${path}`)).toBe(false);
  expect(rules.allows(`/10/${path}`)).toBe(true);
});

test("a run of wildcards is one", () => {
  const rules = parseRobots("User-agent: *\nDisallow: /a***b**$\n");
  expect(["/a/b", "/a/b/c", "/a/c"].map((path) => rules.allows(path))).toEqual([false, false, true]);
});
