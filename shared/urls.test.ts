import { expect, it } from "vitest";
import { parseUrl } from "./urls.ts";

it("reads an address with letters beyond ASCII, however often one was read before", () => {
  const hosts = new Set<string | undefined>();
  for (let time = 0; time < 20_000; time += 1) hosts.add(parseUrl("https://bücher.example.com/")?.hostname);
  expect([...hosts]).toEqual(["xn--bcher-kva.example.com"]);
});

it("gives nothing for what is no address", () => {
  expect(parseUrl("bücher")).toBeUndefined();
});
