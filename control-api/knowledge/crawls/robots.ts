/** What a robots.txt allows us (RFC 9309). */
export interface RobotRules {
  /** `path` as it stands in the address, with its query. */
  allows(path: string): boolean;
}

interface Rule {
  readonly isAllowed: boolean;
  readonly pattern: string;
}

const AGENT = "parley";
/** RFC 9309 wants 500 KiB to be read at least; rules beyond these are passed over. */
const MAX_RULES = 2_000;

/** The rules for us: those that name us, else those for everybody. What cannot be read in it is passed over. */
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

/** The longest pattern decides; of two that are as long, the one that allows. */
function longer(best: Rule | undefined, rule: Rule): Rule {
  if (best === undefined || rule.pattern.length > best.pattern.length) return rule;
  return rule.pattern.length === best.pattern.length && rule.isAllowed ? rule : best;
}

/** Of all groups for an agent; undefined when there is none. */
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

/** Both sides in one spelling: what an address must encode is encoded, and its digits are capitals. */
function encoded(path: string): string {
  return path
    .replaceAll(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text.toWellFormed()))
    .replaceAll(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}

/** `*` stands for any text, `$` at the end for the end. In time linear in both. */
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
