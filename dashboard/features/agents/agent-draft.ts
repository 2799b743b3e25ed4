import { type Agent, type AgentVersion, newAgentSchema } from "@parley/shared/contracts/agents.ts";
import { isObject, type Json } from "@parley/shared/contracts/merge-patch.ts";
import { agentIssueText } from "./issue-text.ts";
import { isSame, valueAt, withValueAt } from "./json-at.ts";
import { patchBetween } from "./patch-between.ts";

/** Problems by setting path. */
export type Faults = Readonly<Record<string, string>>;

/**
 * An agent as edited: its name and settings. A secret is present only when it is to be replaced, or `null` to
 * remove it.
 */
export function draftOf(agent: Agent | AgentVersion): Json {
  const { hasSecret: _, ...brain } = agent.brain;
  const settings = Object.keys(newAgentSchema.shape).map((key) => [key, valueAt(agent, key)] as const);
  const known = Object.fromEntries(settings.filter(([, value]) => value !== undefined));
  return { ...known, brain: { ...brain, kind: brain.kind ?? "custom" } };
}

/** An agent as read and compared: shows whether there is a secret in place of the secret. */
export function shownOf(agent: Agent | AgentVersion): Json {
  return withValueAt(draftOf(agent), "brain.hasSecret", agent.brain.hasSecret);
}

/** What the API would refuse, in words, and what a patch of `base` cannot express. */
export function faultsOf(draft: Json, base: Json): Faults {
  const faults: Record<string, string> = {};
  const parsed = newAgentSchema.safeParse(withoutTakenSecret(draft));
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

export function isChanged(base: Json, draft: Json): boolean {
  return !isSame(base, draft);
}

/** Body of the patch from `base` to `draft`; `version` makes it fail if another person saved meanwhile. */
export function changeBody(base: Json, draft: Json, version: number): Json {
  return { ...patchBetween(base, draft), version };
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
