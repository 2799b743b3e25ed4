import type { Agent, AgentVersion } from "@parley/shared/contracts/agents.ts";
import type { Json } from "@parley/shared/contracts/merge-patch.ts";
import { isSame, valueAt, withValueAt } from "./json-at.ts";
import { patchBetween } from "./patch-between.ts";
import { SETTINGS } from "./setting-facts.at-build.ts";

/** Problems by setting path. */
export type Faults = Readonly<Record<string, string>>;

/**
 * An agent as edited: its name and settings. A secret is present only when it is to be replaced, or `null` to
 * remove it.
 */
export function draftOf(agent: Agent | AgentVersion): Json {
  const { hasSecret: _, ...brain } = agent.brain;
  const settings = SETTINGS.map((key) => [key, valueAt(agent, key)] as const);
  const known = Object.fromEntries(settings.filter(([, value]) => value !== undefined));
  return { ...known, brain: { ...brain, kind: brain.kind ?? "custom" } };
}

/** An agent as read and compared: shows whether there is a secret in place of the secret. */
export function shownOf(agent: Agent | AgentVersion): Json {
  return withValueAt(draftOf(agent), "brain.hasSecret", agent.brain.hasSecret);
}

export function isChanged(base: Json, draft: Json): boolean {
  return !isSame(base, draft);
}

/** Body of the patch from `base` to `draft`; `version` makes it fail if another person saved meanwhile. */
export function changeBody(base: Json, draft: Json, version: number): Json {
  return { ...patchBetween(base, draft), version };
}
