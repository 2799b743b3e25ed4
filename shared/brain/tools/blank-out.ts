import type { ToolParameters } from "../../contracts/tools/tool-kind.ts";
import { declaredSecrets } from "./declared-secrets.ts";

const BLANK = "";

/** What is told of a tool's run. */
interface Told {
  readonly arguments: unknown;
  readonly result: unknown;
}

/**
 * A copy of a tool's arguments and its result in which what its parameters declare as not to be shown is blank
 * (docs/brain.md#parameters-that-are-not-shown). Arguments that could not be parsed are blank as a whole.
 */
export function blankOut({ arguments: args, result }: Told, parameters: ToolParameters): Told {
  const { isWhole, names } = declaredSecrets(parameters);
  if (isWhole) return { arguments: BLANK, result: BLANK };
  if (names.size === 0) return { arguments: args, result };
  return {
    arguments: typeof args === "string" ? BLANK : blanked(args, names),
    // A text is not the argument itself, as one that could not be parsed is.
    result: typeof result === "string" ? result : blanked(result, names),
  };
}

function blanked(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => blanked(item, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, names.has(name) ? BLANK : blanked(each, names)]),
  );
}
