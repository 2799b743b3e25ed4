import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import { PII_RULES, type PiiPolicy } from "@parley/shared/contracts/pii.ts";
import type { CustomField } from "@parley/shared/contracts/post-call-analysis.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import type { Conversation } from "../conversation.ts";

/** Personal data collected for a field, in the clear. */
export interface FoundPii {
  readonly ruleSlug: string;
  readonly fieldKey: string;
  readonly value: string;
}

interface Subject {
  readonly conversation: Conversation;
  readonly customFields: readonly CustomField[];
  readonly policy: PiiPolicy;
}

/**
 * Moves the values of fields with a `piiRule` out of an analysis: `customData` keeps a mask, or null where the rule
 * finds nothing. Values the analyzer missed are looked for in the caller's utterances. Values masked when they were
 * spoken are lost, and stay masks. The rest of the analysis is scrubbed by the policy and by the fields' rules.
 */
export function takePii(
  analysis: CallAnalysis,
  { conversation, customFields, policy }: Subject,
): { readonly analysis: CallAnalysis; readonly found: readonly FoundPii[]; readonly scrubber: Scrubber } {
  const customData: Record<string, unknown> = { ...analysis.customData };
  const found: FoundPii[] = [];
  for (const { key, piiRule } of customFields) {
    if (piiRule === undefined) continue;
    const only = policyOf(piiRule, policy);
    const given = customData[key];
    const value = only && (firstIn(textOf(given), only) ?? firstSaid(conversation, only));
    if (value !== undefined) found.push({ ruleSlug: piiRule, fieldKey: key, value });
    customData[key] =
      value === undefined ? maskIn(textOf(given), policy) : only && new Scrubber(only).text(value);
  }
  return {
    analysis: { ...analysis, customData },
    found,
    scrubber: new Scrubber(withRulesOf(customFields, policy)),
  };
}

/** The policy reduced to one rule or pattern; undefined when none has that name. */
function policyOf(name: string, { country, rules, patterns }: PiiPolicy): PiiPolicy | undefined {
  const pattern = patterns.filter((each) => each.name === name);
  if (pattern.length > 0) return { country, rules: [], patterns: pattern };
  const rule = PII_RULES.find((each) => each === name);
  if (!rule) return undefined;
  return { country, rules: [rules.find((each) => each.rule === rule) ?? { rule }], patterns: [] };
}

function withRulesOf(fields: readonly CustomField[], policy: PiiPolicy): PiiPolicy {
  const named = PII_RULES.filter((rule) => fields.some(({ piiRule }) => piiRule === rule));
  const missing = named.filter((name) => !policy.rules.some(({ rule }) => rule === name));
  return { ...policy, rules: [...policy.rules, ...missing.map((rule) => ({ rule }))] };
}

function firstIn(text: string, policy: PiiPolicy): string | undefined {
  const [first] = new Scrubber(policy).find(text).toSorted((one, other) => one.start - other.start);
  return first && text.slice(first.start, first.end);
}

function firstSaid(conversation: Conversation, policy: PiiPolicy): string | undefined {
  for (const { role, text } of conversation) {
    const value = role === "user" ? firstIn(text, policy) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The mask that a value already contains. */
function maskIn(text: string, { rules, patterns }: PiiPolicy): string | null {
  const masks = [
    ...rules.map(({ rule, mask }) => mask ?? `[${rule}]`),
    ...patterns.map(({ name, mask }) => mask ?? `[${name.replaceAll(/\d/g, "")}]`),
  ];
  return masks.find((mask) => text.includes(mask)) ?? null;
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
