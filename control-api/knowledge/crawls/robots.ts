/** What a robots.txt allows Parley (RFC 9309). */
export interface RobotRules {
  /** `path` as it appears in the address, including the query. */
  allows(path: string): boolean;
}

interface Rule {
  readonly isAllowed: boolean;
  readonly pattern: string;
}

const AGENT = "parley";
/** RFC 9309 requires reading at least 500 KiB; rules beyond this number are ignored. */
const MAX_RULES = 2_000;

/** The rules for Parley, or else those for all agents. Malformed lines are ignored. */
export function parseRobots(text: string): RobotRules {
  const own = rulesFor(text, AGENT) ?? rulesFor(text, "*") ?? [];
  return {
    allows: (path) => {
      if (path === "/robots.txt") return true;
      const asked = encoded(path);
      const best = own.filter(({ pattern }) => matches(asked, pattern)).reduce(longer, undefined);
      return best?.isAllowed ?? true;
    },
  };
}

/** The longer pattern wins; at equal length, the one that allows. */
function longer(best: Rule | undefined, rule: Rule): Rule {
  if (best === undefined || rule.pattern.length > best.pattern.length) return rule;
  return rule.pattern.length === best.pattern.length && rule.isAllowed ? rule : best;
}

/** The rules of all groups for an agent; undefined when there are none. */
function rulesFor(text: string, agent: string): Rule[] | undefined {
  let rules: Rule[] | undefined;
  let isOurs = false;
  let isInAgents = false;
  for (const [field, value] of linesOf(text)) {
    if (field === "user-agent") {
      const isNamed = productOf(value) === agent;
      isOurs = isInAgents ? isOurs || isNamed : isNamed;
      isInAgents = true;
      if (isOurs) rules ??= [];
    } else if (field === "allow" || field === "disallow") {
      isInAgents = false;
      if (isOurs && value !== "" && (rules?.length ?? 0) < MAX_RULES) {
        rules?.push({ isAllowed: field === "allow", pattern: encoded(value) });
      }
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

/** `*` matches any text, a final `$` the end. Linear in both lengths. */
function matches(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...others] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
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
