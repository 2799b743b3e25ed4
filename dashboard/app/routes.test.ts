import { APP_PAGES } from "@parley/shared/contracts/app-pages.ts";
import { expect, it } from "vitest";
import { NAVIGATION } from "./navigation.ts";
import { PAGES, pageAt } from "./pages.ts";
import { routes } from "./routes.tsx";

/** The addresses of all pages, as their routes have them. */
function addresses(route: unknown = routes): string[] {
  const { path, children } = (route as { options?: { path?: string }; children?: unknown[] }).options
    ? { path: (route as { options: { path?: string } }).options.path, children: childrenOf(route) }
    : { path: undefined, children: childrenOf(route) };
  return [...(path === undefined ? [] : [path]), ...children.flatMap((child) => addresses(child))];
}

function childrenOf(route: unknown): unknown[] {
  const children: unknown = (route as { children?: unknown }).children;
  return Array.isArray(children) ? children : [];
}

it("each page has an address that the control API serves, also when it is loaded again", () => {
  const served: readonly string[] = ["/", ...APP_PAGES];
  const unserved = addresses().filter((address) => !served.includes(`/${address.split("/")[1] ?? ""}`));
  expect(unserved).toEqual([]);
});

it("each link of the sidebar leads to a page, and no page is there twice", () => {
  const links = NAVIGATION.flatMap(({ items }) => items.map(({ to }) => String(to)));
  expect(links.filter((link) => !addresses().includes(link))).toEqual([]);
  expect(new Set(links).size).toBe(links.length);
});

it("the first script loads the page that the router will show", () => {
  const own = addresses().filter((address) => address !== "/settings/$");
  expect(Object.keys(PAGES).toSorted()).toEqual(own.toSorted());
  // As they are in the browser, each with its parts filled in.
  const shown = own.map((route) => pageAt(route.replaceAll(/\{?-?\$\w+\}?/g, "any1")));
  expect(shown).toEqual(own);
  expect(pageAt("/agents/agent_1")).toBe("/agents/$id/{-$section}");
  expect(pageAt("/agents/templates/")).toBe("/agents/templates");
  expect([pageAt("/settings/calls"), pageAt("/nowhere")]).toEqual([undefined, undefined]);
});
