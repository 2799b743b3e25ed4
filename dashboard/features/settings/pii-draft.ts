import { PII_RULES, type PiiPolicy, type PiiRule } from "@parley/shared/contracts/pii.ts";

/** An organization's own pattern as it is being typed; `key` tells rows apart. */
export interface PatternDraft {
  readonly key: number;
  readonly name: string;
  readonly pattern: string;
  readonly mask: string;
}

/** A policy as it is being changed. */
export interface PolicyDraft {
  readonly country: string;
  readonly rules: Readonly<Record<PiiRule, { readonly isOn: boolean; readonly mask: string }>>;
  readonly patterns: readonly PatternDraft[];
}

export function toDraft({ country, rules, patterns }: PiiPolicy): PolicyDraft {
  const ruleOf = (rule: PiiRule) => {
    const found = rules.find((one) => one.rule === rule);
    return [rule, { isOn: found !== undefined, mask: found?.mask ?? "" }] as const;
  };
  return {
    country,
    rules: Object.fromEntries(PII_RULES.map(ruleOf)) as PolicyDraft["rules"],
    patterns: patterns.map(({ name, pattern, mask }, key) => ({ key, name, pattern, mask: mask ?? "" })),
  };
}

/** What is sent: an empty mask is the default one. */
export function toPolicy({ country, rules, patterns }: PolicyDraft): PiiPolicy {
  const masked = (mask: string) => (mask.trim() === "" ? {} : { mask: mask.trim() });
  return {
    country: country.trim().toUpperCase(),
    rules: PII_RULES.filter((rule) => rules[rule].isOn).map((rule) => ({
      rule,
      ...masked(rules[rule].mask),
    })),
    patterns: patterns.map(({ name, pattern, mask }) => ({
      name: name.trim(),
      pattern: pattern.trim(),
      ...masked(mask),
    })),
  };
}

/** One more pattern, empty. */
export function withPattern(draft: PolicyDraft): PolicyDraft {
  const key = Math.max(-1, ...draft.patterns.map((one) => one.key)) + 1;
  return { ...draft, patterns: [...draft.patterns, { key, name: "", pattern: "", mask: "" }] };
}
