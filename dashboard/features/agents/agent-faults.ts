import { newAgentSchema } from "@parley/shared/contracts/agents.ts";
import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import { plainEnglish } from "@parley/shared/contracts/plain-english.ts";
import type { Faults } from "./agent-draft.ts";
import { agentIssueText } from "./issue-text.ts";
import { valueAt } from "./json-at.ts";

/** What the API would refuse, in words, and what a patch of `base` cannot express. */
export function faultsOf(draft: Json, base: Json): Faults {
  const faults: Record<string, string> = {};
  const parsed = newAgentSchema.safeParse(withoutTakenSecret(draft), { error: plainEnglish });
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.join(".");
    faults[path] ??= agentIssueText(path, issue, valueAt(draft, path));
  }
  const nothing = pathOfNewNull(valueAt(draft, "brain.payload"), valueAt(base, "brain.payload"));
  if (nothing !== undefined) {
    faults["brain.payload"] ??= `Leave ${nothing} out: null takes a field away.`;
  }
  return faults;
}

function withoutTakenSecret(draft: Json): Json {
  const { brain } = draft;
  if (!isObject(brain) || brain.secret !== null) return draft;
  const { secret: _, ...kept } = brain;
  return { ...draft, brain: kept };
}

/**
 * Finds a null that a patch cannot express. Lists are sent whole and may contain any; nulls that were there
 * before are not sent again.
 */
function pathOfNewNull(value: unknown, before: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const old = isObject(before) ? before[key] : undefined;
    if (inner === null && old !== null) return key;
    const deeper = pathOfNewNull(inner, old);
    if (deeper !== undefined) return `${key}.${deeper}`;
  }
  return undefined;
}
