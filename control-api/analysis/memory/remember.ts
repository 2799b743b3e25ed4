import type { CallAnalysis } from "@parley/shared/contracts/event-catalog/call-analysis.ts";
import type { MEMORY_KINDS } from "@parley/shared/contracts/memory.ts";
import { cutText } from "@parley/shared/contracts/storable.ts";
import type { Kysely } from "kysely";
import { holdsAgent } from "../../agents/agents/store.ts";
import type { Tables } from "../../database/tables.ts";
import type { CallToAnalyze } from "../store.ts";
import { dropOldest, type Fact, keepFacts } from "./store.ts";

const MAX_CHARS = 1_000;
const MAX_ACTION_ITEMS = 5;
const DAY_MS = 86_400_000;
/** An anonymous visitor, who gets another identifier next time. */
const ANONYMOUS = /^ctk_/;

/** Keeps an analysis's findings for the next conversation with the person, if their agent remembers people. */
export async function remember(
  trx: Kysely<Tables>,
  call: CallToAnalyze,
  { analysis, at }: { readonly analysis: CallAnalysis; readonly at: Date },
): Promise<void> {
  const { memory, agentId, identifier, isIdentified, orgId, sessionId } = call;
  if (!memory.enabled || agentId === null || identifier === null || ANONYMOUS.test(identifier)) return;
  if (!isIdentified && !memory.unverifiedCallers) return;
  // The settings are of the call's version, which outlives the agent; memories do not.
  if (!(await holdsAgent(trx, agentId))) return;
  const person = { orgId, agentId, identifier };
  const expiresAt = new Date(at.getTime() + memory.forgetAfterDays * DAY_MS);
  await keepFacts(trx, person, { facts: factsOf(call, analysis), sessionId, at, expiresAt });
  await dropOldest(trx, person);
}

function factsOf({ settings }: CallToAnalyze, analysis: CallAnalysis): Fact[] {
  const { summary, topics, customData, actionItems } = analysis;
  const about = summary ?? (topics.length === 0 ? null : `Talked about: ${topics.join(", ")}.`);
  return [
    ...(about === null ? [] : [fact("summary", about)]),
    ...settings.customFields.flatMap(({ key, label, piiRule }): Fact[] => {
      const value = customData[key];
      // Values in the vault stay there.
      if (piiRule !== undefined || !isPlain(value)) return [];
      return [{ ...fact("field", `${label === "" ? key : label}: ${value}`), key }];
    }),
    ...actionItems.slice(0, MAX_ACTION_ITEMS).map((item) => fact("action_item", item)),
  ];
}

function fact(kind: (typeof MEMORY_KINDS)[number], text: string): Fact {
  return { kind, key: null, text: cutText(text, MAX_CHARS) };
}

function isPlain(value: unknown): value is string | number | boolean {
  return (
    (typeof value === "string" && value.trim() !== "") ||
    typeof value === "number" ||
    value === true ||
    value === false
  );
}
