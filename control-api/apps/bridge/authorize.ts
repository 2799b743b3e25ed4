import type { Method } from "@parley/platform/methods/define.ts";
import { passesGate } from "@parley/platform/methods/gates.ts";
import { isGranted } from "@parley/platform/methods/scopes.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import { problemsOf } from "@parley/shared/contracts/problems.ts";
import { z } from "zod";
import type { BridgeCaller } from "./caller.ts";

const MAX_PROBLEMS = 8;

/** Parses the arguments for the handler. Throws `BridgeError` too_large, invalid_arguments with `details.fields`. */
export function argumentsOf(
  method: Method,
  params: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { requestBytes } = method.limits;
  if (Buffer.byteLength(JSON.stringify(params)) > requestBytes)
    throw new BridgeError("too_large", `The arguments of ${method.name} may have ${requestBytes} bytes.`);
  const parsed = z.strictObject(method.params).safeParse(params, { error: plainEnglish });
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error.issues, "body").slice(0, MAX_PROBLEMS);
  const sentences = problems.map(({ field, text }) => `${field} ${text}`);
  throw new BridgeError("invalid_arguments", `${method.name}: ${sentences.join("; ")}.`, {
    details: { fields: Object.fromEntries(problems.map(({ field, text }) => [field, text])) },
  });
}

/** Throws `BridgeError` scope_missing, role_forbidden. */
export function authorize(method: Method, args: Record<string, unknown>, caller: BridgeCaller): void {
  assertScopes(method, args, caller.scopes);
  if (!passesGate(method.gate, caller))
    throw new BridgeError("role_forbidden", `The role ${caller.role} does not permit ${method.name}.`);
}

function assertScopes(
  { name, scope }: Method,
  args: Record<string, unknown>,
  granted: readonly string[],
): void {
  const missing = missingScope(scope, args, granted);
  if (missing !== undefined)
    throw new BridgeError("scope_missing", `${name} needs scope ${missing}, which the app was not granted.`, {
      details: { scope: missing },
    });
}

function missingScope(
  scope: Method["scope"],
  args: Record<string, unknown>,
  granted: readonly string[],
): string | undefined {
  switch (scope.kind) {
    case "all":
      return scope.scopes.find((one) => !isGranted(granted, one));
    case "any":
      return granted.some((one) => one.startsWith(scope.prefix)) ? undefined : `${scope.prefix}…`;
    case "args":
      return scope.of(args as never).find((one) => !isGranted(granted, one));
    case "none":
    case "server":
      return undefined;
    default:
      return scope satisfies never;
  }
}
