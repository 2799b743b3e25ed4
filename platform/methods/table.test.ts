import { expect, it } from "vitest";
import { z } from "zod";
import { passesGate } from "./gates.ts";
import { isGranted, SCOPES_SHOWN, scopeInWords, scopeSchema } from "./scopes.ts";
import { findMethod, METHODS } from "./table.ts";

it("has each method once, in its namespace, with a sentence and bounds", () => {
  const names = METHODS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, about, limits } of METHODS) {
    expect(name).toMatch(/^[a-z]+\.[a-z][A-Za-z]+$/);
    expect(about).toMatch(/^[A-Z].*\.$|^[A-Z].*`$/);
    for (const bound of [limits.requestBytes, limits.timeoutMs, limits.perMinute, limits.inFlight])
      expect(bound).toBeGreaterThan(0);
  }
});

it("finds no method by a name that every object has", () => {
  for (const name of ["__proto__", "constructor", "toString", "then", "data.list.constructor", ""])
    expect(findMethod(name)).toBeUndefined();
  expect(findMethod("data.list")?.name).toBe("data.list");
});

it("can be written as JSON Schema, arguments and results, for documentation and types", () => {
  for (const { name, params, result } of METHODS) {
    const args = z.toJSONSchema(z.strictObject(params), { io: "input", unrepresentable: "any" });
    expect(args, name).toMatchObject({ type: "object", additionalProperties: false });
    expect(z.toJSONSchema(result, { unrepresentable: "any" }), name).toBeTypeOf("object");
  }
});

it("names as scopes of its methods only such as a manifest may have", () => {
  for (const { name, scope } of METHODS) {
    if (scope.kind === "all")
      for (const one of scope.scopes) expect(scopeSchema.safeParse(one).success, name).toBe(true);
    if (scope.kind === "any")
      expect(
        SCOPES_SHOWN.some((one) => one.startsWith(scope.prefix)),
        name,
      ).toBe(true);
  }
});

it("derives from its arguments what a call needs", () => {
  const needed = (name: string, args: unknown): readonly string[] => {
    const scope = findMethod(name)?.scope;
    return scope?.kind === "args" ? scope.of(args as never) : [];
  };
  expect(needed("data.list", { type: "note" })).toEqual(["objects:note"]);
  expect(
    needed("http.fetch", { request: { url: "https://api.example.com/x", connection: "hubspot" } }),
  ).toEqual(["http:api.example.com", "connection:hubspot"]);
  expect(needed("agents.updateConfig", { config: { voice: {}, prompt: {} } })).toEqual([
    "agents:config:write:voice",
    "agents:config:write:prompt",
  ]);
});

it("grants a host by itself or by a wildcard of one label", () => {
  expect(isGranted(["http:api.example.com"], "http:api.example.com")).toBe(true);
  expect(isGranted(["http:*.example.com"], "http:acme.example.com")).toBe(true);
  expect(isGranted(["http:*.example.com"], "http:a.b.example.com")).toBe(false);
  expect(isGranted(["http:*.example.com"], "http:example.com")).toBe(false);
  expect(isGranted(["http:*.com"], "http:example.com")).toBe(false);
  expect(isGranted(["http:api.example.com"], "http:evil.com")).toBe(false);
  expect(isGranted(["objects:note"], "objects:notes")).toBe(false);
});

it("refuses scopes that name nothing, or a host that is none", () => {
  for (const scope of [
    ...["objects:", "objects:a b", "http:", "http:*", "http:*.com", "http:localhost", "http:127.0.0.1"],
    ...["http:API.example.com", "http:a.*.com", "everything", "agents:config:write:all", "__proto__"],
  ])
    expect(scopeSchema.safeParse(scope).success, scope).toBe(false);
  for (const scope of [
    "objects:note",
    "http:api.example.com",
    "http:*.example.com",
    "calls:read",
    "ai:stt",
  ]) {
    expect(scopeSchema.safeParse(scope).success, scope).toBe(true);
    expect(scopeInWords(scope)).not.toBe(scope);
  }
});

it("opens gates by permissions or by role, as pages do", () => {
  const developer = { role: "developer", permissions: ["view", "manage_agents"] };
  const viewer = { role: "viewer", permissions: ["view"] };
  const admin = { role: "admin", permissions: [] };
  const nobody = { role: null, permissions: [] };
  const passed = (user: { role: string | null; permissions: string[] }) =>
    (["none", "canViewActivity", "canCommunicate", "canManageSettings"] as const).filter((gate) =>
      passesGate(gate, user),
    );
  expect(passed(nobody)).toEqual(["none"]);
  expect(passed(viewer)).toEqual(["none", "canViewActivity"]);
  expect(passed(developer)).toEqual(["none", "canViewActivity", "canCommunicate"]);
  expect(passed(admin)).toEqual(["none", "canViewActivity", "canCommunicate", "canManageSettings"]);
});
