import type { Method } from "@parley/platform/methods/define.ts";
import { METHODS } from "@parley/platform/methods/table.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { faultsOf, plainWords } from "@parley/platform/wire/plain-words.ts";
import { expect, it } from "vitest";
import { z } from "zod";
import { argumentsOf } from "./authorize.ts";

/** What a client may send where a method takes something else. */
const WRONG: readonly unknown[] = [
  ...[undefined, null, 7, -1.5, true, "", "x".repeat(3_000)],
  ...[[], [{}], {}, { a: { $no: 1 } }],
];
const MAX_PROBLEMS = 8;
const ROOM = 1024 * 1024;

function theServers(method: Method, params: Readonly<Record<string, unknown>>): unknown {
  try {
    argumentsOf({ ...method, limits: { ...method.limits, requestBytes: ROOM } }, params);
    return {};
  } catch (error) {
    return error instanceof BridgeError ? error.details?.fields : error;
  }
}

function theMocks({ params: schema }: Method, params: Readonly<Record<string, unknown>>): unknown {
  const { error } = z.strictObject(schema).safeParse(params, { error: plainWords });
  const faults = faultsOf(error?.issues ?? []).slice(0, MAX_PROBLEMS);
  return Object.fromEntries(faults.map(({ path, message }) => [path.join(".") || "body", message]));
}

it("the mock of the bridge refuses arguments in the words of the server", () => {
  const calls = METHODS.flatMap((method) =>
    [...Object.keys(method.params), "unknown"].flatMap((field) =>
      WRONG.map((value) => ({ method, params: { [field]: value } })),
    ),
  );
  for (const { method, params } of calls)
    expect(theMocks(method, params), `${method.name} ${JSON.stringify(params).slice(0, 80)}`).toEqual(
      theServers(method, params),
    );
  expect(calls.length).toBeGreaterThan(500);
});
