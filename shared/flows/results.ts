import type { FlowNodeOf } from "../contracts/flows/nodes.ts";
import type { JsonValue } from "../contracts/json.ts";
import { cutText } from "../contracts/storable.ts";
import { knowledgeResultSchema } from "../contracts/tools/knowledge.ts";
import { resolvePlaceholders } from "../variables/placeholders.ts";

/** Maximum characters of one variable's value. */
const MAX_VALUE_CHARS = 4_000;

type Variables = Readonly<Record<string, string>>;

/** Converts a value for a variable: text unchanged, anything else as JSON. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return cutText(typeof value === "string" ? value : JSON.stringify(value), MAX_VALUE_CHARS);
}

/** The part of a result at a path such as `orders.0.status`. */
function partOf(result: unknown, path: string): unknown {
  let part = result;
  for (const name of path === "" ? [] : path.split(".")) {
    const isThere = typeof part === "object" && part !== null && Object.hasOwn(part, name);
    part = isThere ? (part as Record<string, unknown>)[name] : undefined;
  }
  return part;
}

/** The variables set from a tool's result. */
export function savedFrom({ save }: Pick<FlowNodeOf<"tool">, "save">, result: unknown): Variables {
  return Object.fromEntries(save.map(({ variable, path }) => [variable, asText(partOf(result, path))]));
}

/** The best matching passage; undefined when none was found. */
export function bestPassage(result: unknown): string | undefined {
  const found = knowledgeResultSchema.safeParse(result);
  const [best] = found.success ? found.data.passages : [];
  return best && cutText(best.text, MAX_VALUE_CHARS);
}

export function bounded(values: Variables): Variables {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, cutText(value, MAX_VALUE_CHARS)]),
  );
}

/** Fills the placeholders in arguments, at any depth. */
export function filled(value: JsonValue, variables: Variables): JsonValue {
  if (typeof value === "string") return resolvePlaceholders(value, variables);
  if (Array.isArray(value)) return value.map((item) => filled(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, filled(item as JsonValue, variables)]),
  );
}
