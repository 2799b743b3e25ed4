import { z } from "zod";
import { VendorError } from "../../vendor/vendor.ts";

const MAX_ROUTES = 50;
const LINE = /^([A-Za-z][A-Za-z0-9_-]{0,63})\s+(GET|POST|PUT|PATCH|DELETE)\s+(\/\S{0,1000})$/;
const PLACEHOLDER = /\{([A-Za-z0-9_]{1,64})\}/g;
const METHODS_WITH_BODY = new Set(["POST", "PUT", "PATCH"]);

type Params = Readonly<Record<string, string | number | boolean>>;

interface Route {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With placeholders, and optionally a query. */
  readonly path: string;
}

/** Routes as people enter them; the error names the line. */
export const routesText = z
  .string()
  .trim()
  .max(16_384)
  .superRefine((text, context) => {
    const problem = problemOf(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });

function problemOf(text: string): string | undefined {
  const names = new Set<string>();
  const lines = linesOf(text);
  if (lines.length === 0 || lines.length > MAX_ROUTES) return `1 to ${MAX_ROUTES} routes, one on each line`;
  for (const [index, line] of lines.entries()) {
    const at = `route ${index + 1}`;
    const route = parse(line);
    if (!route) return `${at} is not a name, a method and a path: stock GET /products/{sku}`;
    if (names.has(route.name)) return `${at} has the name of another one (${route.name})`;
    if (/[{}#\\]/.test(route.path.replace(PLACEHOLDER, "")))
      return `${at} has a brace, a # or a \\ that is no placeholder`;
    if (isDotted(route.path)) return `${at} has . or .. in its path`;
    names.add(route.name);
  }
  return undefined;
}

/** Finds a configured route by name. Throws `VendorError` rejected, listing the routes. */
export function routeOf(text: string, name: string): Route {
  const routes = linesOf(text).flatMap((line) => parse(line) ?? []);
  const route = routes.find((known) => known.name === name);
  if (route) return route;
  const names = routes.map((known) => known.name).join(", ");
  throw new VendorError("rejected", `There is no route of this name. There are: ${names}.`);
}

/** Builds a route's request. Throws `VendorError` rejected if a parameter is missing or would change the path. */
export function requestOf({ method, path }: Route, params: Params) {
  const used = new Set<string>();
  const filled = path.replace(PLACEHOLDER, (_all, key: string) => {
    used.add(key);
    return filledIn(key, params);
  });
  if (isDotted(filled)) throw new VendorError("rejected", "A parameter must not be . or .. in a path.");
  const rest = Object.fromEntries(Object.entries(params).filter(([key]) => !used.has(key)));
  if (METHODS_WITH_BODY.has(method)) return { method, path: filled, json: rest };
  return { method, path: filled, query: rest };
}

function filledIn(key: string, params: Params): string {
  const value = Object.hasOwn(params, key) ? String(params[key]) : "";
  if (value !== "") return encodeURIComponent(value);
  throw new VendorError("rejected", `This route needs the parameter ${key}.`);
}

/** Dot segments would lead to a different path. */
function isDotted(path: string): boolean {
  const [before = ""] = path.split("?");
  return before.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part));
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function parse(line: string): Route | undefined {
  const [, name, method, path] = LINE.exec(line) ?? [];
  if (name === undefined || path === undefined) return undefined;
  return { name, method: method as Route["method"], path };
}
