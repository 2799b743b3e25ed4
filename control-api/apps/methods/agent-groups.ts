import type { AgentConfig } from "@parley/platform/methods/agents.ts";
import { CONFIG_GROUPS, type ConfigGroup } from "@parley/platform/methods/scopes.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Agent, ChangeAgent } from "@parley/shared/contracts/agents.ts";

type Fields = readonly (readonly [shown: string, path: readonly [keyof ChangeAgent, ...string[]]])[];

const own = (...names: readonly (keyof ChangeAgent)[]): Fields => names.map((name) => [name, [name]]);
const ofFlow = (...names: readonly string[]): Fields => names.map((name) => [name, ["brain", "flow", name]]);
const ofBrain = (...names: readonly string[]): Fields => names.map((name) => [name, ["brain", name]]);

/**
 * The settings of an agent by group. Addresses and secrets are in no group: an app that set the address would receive
 * the secret. Who may call is in no group either.
 */
const GROUPS: Readonly<Record<ConfigGroup, Fields>> = {
  prompt: [...ofBrain("prompt"), ...own("firstResponse", "variables")],
  model: ofBrain(
    ...["model", "temperature", "maxTokens"],
    ...["firstTokenTimeoutMs", "idleTimeoutMs", "clauseFlushMs", "fallbackLine"],
  ),
  voice: own("stt", "tts", "sound"),
  behavior: own(
    ...(["hearing", "turnTaking", "silence", "waiting", "outage", "maxDurationMs", "recording"] as const),
    ...(["voicemail", "screening", "screeningLine", "postCallAnalysis", "memory"] as const),
  ),
  flow: ofFlow("start", "nodes", "edges", "exits", "lines"),
};

/** An agent's settings, by group. */
export function configOf(agent: Agent): AgentConfig {
  const groups = CONFIG_GROUPS.flatMap((group) => {
    const fields = GROUPS[group].flatMap(([shown, path]) => {
      const value = path.reduce(within, agent);
      return value === undefined ? [] : [[shown, value] as const];
    });
    return fields.length === 0 ? [] : [[group, Object.fromEntries(fields)] as const];
  });
  return Object.fromEntries(groups) as AgentConfig;
}

function within(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The merge patch for these settings. Throws `BridgeError` invalid_arguments, naming a setting in no group. */
export function patchOf(config: AgentConfig): ChangeAgent {
  const patch: Record<string, unknown> = {};
  for (const [group, settings = {}] of Object.entries(config)) {
    const known = new Map(GROUPS[group as ConfigGroup]);
    for (const [shown, value] of Object.entries(settings)) {
      const path = known.get(shown);
      if (!path) throw noSuchSetting(group, shown, [...known.keys()]);
      put(patch, path, value);
    }
  }
  return patch;
}

function put(patch: Record<string, unknown>, [name, ...inner]: readonly string[], value: unknown): void {
  if (name === undefined) return;
  if (inner.length === 0) {
    patch[name] = value;
    return;
  }
  const inside = { ...(patch[name] as object | undefined) };
  patch[name] = inside;
  put(inside, inner, value);
}

function noSuchSetting(group: string, name: string, known: readonly string[]): BridgeError {
  const field = `config.${group}.${name}`;
  const text = `is not a setting of this group; there are ${known.join(", ")}`;
  return new BridgeError("invalid_arguments", `agents.updateConfig: ${field} ${text}.`, {
    details: { fields: { [field]: text } },
  });
}
