import type { AgentConfig } from "@parley/platform/methods/agents.ts";
import { CONFIG_GROUPS, type ConfigGroup } from "@parley/platform/methods/scopes.ts";
import { BridgeError, unavailable } from "@parley/platform/wire/errors.ts";
import type { Agent, ChangeAgent } from "@parley/shared/contracts/agents.ts";

type Fields = readonly (readonly [shown: string, path: readonly [keyof ChangeAgent, string?]])[];

const own = (...names: readonly (keyof ChangeAgent)[]): Fields => names.map((name) => [name, [name]]);
const ofBrain = (...names: readonly string[]): Fields => names.map((name) => [name, ["brain", name]]);

/**
 * Which settings of an agent are in which group. Addresses and secrets are in none: an app that set the address would be
 * sent the secret. Nor is who may call.
 */
const GROUPS: Readonly<Record<Exclude<ConfigGroup, "flow">, Fields>> = {
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
};

/** How an agent is set up, by group. */
export function configOf(agent: Agent): AgentConfig {
  const groups = CONFIG_GROUPS.flatMap((group) => {
    if (group === "flow") return [];
    const fields = GROUPS[group].flatMap(([shown, [name, inner]]) => {
      const outer: unknown = agent[name as keyof Agent];
      const value = inner === undefined ? outer : (outer as Readonly<Record<string, unknown>>)[inner];
      return value === undefined ? [] : [[shown, value] as const];
    });
    return fields.length === 0 ? [] : [[group, Object.fromEntries(fields)] as const];
  });
  return Object.fromEntries(groups) as AgentConfig;
}

/**
 * The merge patch that changes these settings. Throws `BridgeError` invalid_arguments that names a setting of no group,
 * unavailable for flows.
 */
export function patchOf(config: AgentConfig): ChangeAgent {
  const patch: Record<string, unknown> = {};
  for (const [group, settings = {}] of Object.entries(config)) {
    if (group === "flow") throw unavailable("agents.updateConfig of a flow");
    const known = new Map(GROUPS[group as keyof typeof GROUPS]);
    for (const [shown, value] of Object.entries(settings)) {
      const path = known.get(shown);
      if (!path) throw noSuchSetting(group, shown, [...known.keys()]);
      const [name, inner] = path;
      patch[name] = inner === undefined ? value : { ...(patch[name] as object | undefined), [inner]: value };
    }
  }
  return patch;
}

function noSuchSetting(group: string, name: string, known: readonly string[]): BridgeError {
  const field = `config.${group}.${name}`;
  const text = `is no setting of this group; there are ${known.join(", ")}`;
  return new BridgeError("invalid_arguments", `agents.updateConfig: ${field} ${text}.`, {
    details: { fields: { [field]: text } },
  });
}
