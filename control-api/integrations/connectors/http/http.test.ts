import { describe, expect, it } from "vitest";
import { HTTP_API, httpRefusal, startFakeHttp } from "../../../../testkit/fakes/connectors/http.ts";
import { checkInput } from "../../connections/input.ts";
import { connectorContract } from "../connector.contract.ts";
import { connector } from "./definition.ts";
import { requestOf, routeOf } from "./routes.ts";

const ROUTES = [
  "stock GET /products/{sku}/stock?lang={lang}",
  "call_back POST /callbacks",
  "forget DELETE /callbacks/{id}",
  "greet GET /greeting",
].join("\n");

const call = (route: string, params: Record<string, unknown>) => ({
  capability: "http.request" as const,
  args: { route, params },
});

connectorContract({
  connector,
  start: startFakeHttp,
  settings: { url: "https://api.example.com/v1/", routes: ROUTES, testPath: "/status" },
  forms: {
    "Bearer token": HTTP_API.bearer,
    Header: HTTP_API.header,
    "User name and password": HTTP_API.user,
  },
  badCredentials: { token: "http-nobody" },
  account: "api.example.com",
  cases: [
    {
      ...call("stock", { sku: "42/b", lang: "de&x=1", size: 9 }),
      result: { status: 200, body: { sku: "42/b", left: 3, query: { lang: "de&x=1", size: "9" } } },
    },
    {
      ...call("call_back", { phone: "+14155550101", urgent: true }),
      result: { status: 201, body: { id: 7, phone: "+14155550101", urgent: true } },
    },
    { ...call("forget", { id: 7 }), result: { status: 204, body: null } },
    { ...call("greet", {}), result: { status: 200, body: "Good morning" } },
  ],
  missing: call("forget", { id: 8 }),
  faults: {
    missingScope: httpRefusal(403, "Not yours"),
    rateLimited: { ...httpRefusal(429, "Slow down"), headers: { "retry-after": "10" } },
  },
});

describe("Routes of an HTTP API", () => {
  const request = (name: string, params: Record<string, string>) => requestOf(routeOf(ROUTES, name), params);

  it("are the only ones there are, and a wrong name is answered with them", () => {
    expect(() => routeOf(ROUTES, "admin")).toThrow("There are: stock, call_back, forget, greet.");
  });

  it.each([".", ".."])("do not lead elsewhere by the parameter %s", (id) => {
    expect(() => request("forget", { id })).toThrow("must not be . or ..");
  });

  it.each(["../admin", "7/../../admin", "7?all=1", "7#x", "%2e%2e"])(
    "keep %s in its part of the path",
    (id) => {
      const { path } = request("forget", { id });
      expect(new URL(`https://api.example.com${path}`).pathname.split("/")).toHaveLength(3);
      expect(path).not.toMatch(/[?#]/);
    },
  );

  it("say which parameter is missing", () => {
    expect(() => request("forget", {})).toThrow("needs the parameter id");
  });

  it.each([
    ["stock FETCH /products", "route 1 is not a name, a method and a path"],
    ["a GET /a\nb GET b", "route 2 is not"],
    ["a GET /a\na POST /b", "has the name of another one (a)"],
    ["a GET /a/{}", "a brace"],
    ["a GET /a/../b", "has . or .."],
    ["a GET /a#b", "a brace, a # or"],
  ])("are refused with their line: %s", (routes, words) => {
    const given = { credentials: {}, settings: { url: "https://api.example.com", routes } };
    expect(() => checkInput(connector, given)).toThrow(words);
  });

  it.each(["ftp://example.com", "https://user:pw@example.com", "https://example.com?key=1", "example.com"])(
    "have no base like %s",
    (url) => {
      const given = { credentials: {}, settings: { url, routes: "a GET /a" } };
      expect(() => checkInput(connector, given)).toThrow("settings.url");
    },
  );

  it.each(["Host", "Content-Length", "transfer-encoding", "X Key"])(
    "take no key in the header %s",
    (headerName) => {
      const given = {
        credentials: { headerName, headerValue: "key" },
        settings: { url: "https://api.example.com", routes: "a GET /a" },
      };
      expect(() => checkInput(connector, given)).toThrow("credentials.headerName");
    },
  );
});
