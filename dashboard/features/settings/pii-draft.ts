import { PII_RULES, type PiiPolicy, type PiiRule } from "@parley/shared/contracts/pii.ts";

/** An organization's own pattern while being typed; `key` identifies its row. */
export interface PatternDraft {
  readonly key: number;
  readonly name: string;
  readonly pattern: string;
  readonly mask: string;
}

/** A policy being edited. */
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

/** Converts a draft to the policy to send; an empty mask means the default. */
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

/** Adds an empty pattern. */
export function withPattern(draft: PolicyDraft): PolicyDraft {
  const key = Math.max(-1, ...draft.patterns.map((one) => one.key)) + 1;
  return { ...draft, patterns: [...draft.patterns, { key, name: "", pattern: "", mask: "" }] };
}

/** Where the parts of a draft's policy are typed: rules that are off are not in it. */
export function placesIn({ rules, patterns }: PolicyDraft): Record<string, string> {
  const on = PII_RULES.filter((rule) => rules[rule].isOn);
  return {
    country: "country",
    ...Object.fromEntries(on.map((rule, index) => [`rules.${index}.mask`, `mask-${rule}`])),
    ...Object.fromEntries(
      patterns.flatMap(({ key }, index) =>
        (["name", "pattern", "mask"] as const).map((part) => [`patterns.${index}.${part}`, `${part}-${key}`]),
      ),
    ),
  };
}
