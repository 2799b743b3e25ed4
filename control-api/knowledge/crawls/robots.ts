/** What a robots.txt allows Parley (RFC 9309). */
export interface RobotRules {
  /** `path` as it appears in the address, including the query. */
  allows(path: string): boolean;
}

interface Rule {
  readonly isAllowed: boolean;
  /** Of the pattern as it is written. */
  readonly chars: number;
  /** The pattern between its `*`. */
  readonly pieces: readonly string[];
  /** The pattern ends in `$`: its last piece must end the path. */
  readonly isWhole: boolean;
}

const AGENT = "parley";
/** RFC 9309 requires reading at least 500 KiB; rules beyond this number are ignored. */
const MAX_RULES = 2_000;
/** Pieces of all rules together; rules beyond are ignored. Each link of a page is held to each rule. */
const MAX_PIECES = 10_000;

/** The rules for Parley, or else those for all agents. Malformed lines are ignored. */
export function parseRobots(text: string): RobotRules {
  const own = (rulesFor(text, AGENT) ?? rulesFor(text, "*") ?? []).toSorted(byWeight);
  return {
    allows: (path) => {
      if (path === "/robots.txt") return true;
      const asked = encoded(path);
      return own.find((rule) => matches(asked, rule))?.isAllowed ?? true;
    },
  };
}

/** The longer pattern wins; at equal length, the one that allows. */
function byWeight(one: Rule, other: Rule): number {
  return other.chars - one.chars || Number(other.isAllowed) - Number(one.isAllowed);
}

/** The rules of all groups for an agent; undefined when there are none. */
function rulesFor(text: string, agent: string): Rule[] | undefined {
  let rules: Rule[] | undefined;
  let isOurs = false;
  let isInAgents = false;
  let pieces = 0;
  for (const [field, value] of linesOf(text)) {
    if (field === "user-agent") {
      const isNamed = productOf(value) === agent;
      isOurs = isInAgents ? isOurs || isNamed : isNamed;
      isInAgents = true;
      if (isOurs) rules ??= [];
    } else if (field === "allow" || field === "disallow") {
      isInAgents = false;
      if (!isOurs || !rules || value === "" || rules.length >= MAX_RULES) continue;
      const rule = ruleOf(value, field === "allow");
      pieces += rule.pieces.length;
      if (pieces <= MAX_PIECES) rules.push(rule);
    }
  }
  return rules;
}

function linesOf(text: string): [string, string][] {
  return text.split(/\r\n|\r|\n/).flatMap((line): [string, string][] => {
    const said = line.split("#", 1)[0] ?? "";
    const colon = said.indexOf(":");
    if (colon < 0) return [];
    return [[said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()]];
  });
}

/** `Parley/1.0` names the product `parley`. */
function productOf(value: string): string {
  return value === "*" ? value : (/^[a-z_-]+/i.exec(value)?.[0] ?? "").toLowerCase();
}

/** Normalizes percent-encoding, so that paths and patterns compare. */
function encoded(path: string): string {
  return path
    .replaceAll(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text.toWellFormed()))
    .replaceAll(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}

function ruleOf(value: string, isAllowed: boolean): Rule {
  const pattern = encoded(value);
  const isWhole = pattern.endsWith("$");
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split(/\*+/);
  return { isAllowed, chars: pattern.length, pieces, isWhole };
}

/** `*` matches any text, a final `$` the end. Linear in both lengths. */
function matches(path: string, { pieces: [first = "", ...others], isWhole }: Rule): boolean {
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole ? others.pop() : undefined;
  for (const piece of others) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  if (!isWhole) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}
