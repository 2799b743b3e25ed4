import type { FlowCondition } from "../contracts/flows/conditions.ts";
import { resolvePlaceholders } from "../variables/placeholders.ts";

type Variables = Readonly<Record<string, string>>;
type Test = FlowCondition["tests"][number];

/** Whether a condition holds for these variables. */
export function holds({ match, tests }: FlowCondition, variables: Variables): boolean {
  return match === "all"
    ? tests.every((test) => passes(test, variables))
    : tests.some((test) => passes(test, variables));
}

function passes({ variable, is, value = "" }: Test, variables: Variables): boolean {
  const has = variableOf(variable, variables).trim();
  if (is === "exists") return has !== "";
  if (is === "missing") return has === "";
  const wanted = resolvePlaceholders(value, variables).trim();
  const order = compare(has, wanted);
  switch (is) {
    case "equals":
      return order === 0;
    case "not_equals":
      return order !== 0;
    case "contains":
      return has.toLowerCase().includes(wanted.toLowerCase());
    // An absent value is neither greater nor less than anything.
    case "greater":
      return has !== "" && order > 0;
    case "less":
      return has !== "" && order < 0;
    case "at_least":
      return has !== "" && order >= 0;
    case "at_most":
      return has !== "" && order <= 0;
  }
}

export function variableOf(name: string, variables: Variables): string {
  return Object.hasOwn(variables, name) ? (variables[name] ?? "") : "";
}

/** Compares as numbers if both sides are numbers; dates sort correctly as text. */
function compare(one: string, other: string): number {
  const [a, b] = [numeric(one), numeric(other)];
  if (a !== undefined && b !== undefined) return a - b;
  const [x, y] = [one.toLowerCase(), other.toLowerCase()];
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

function numeric(text: string): number | undefined {
  return /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
