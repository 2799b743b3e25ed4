import { agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Fingerprints everything a rehearsal depends on: what the agent says, and its scenarios. Equal settings give equal
 * fingerprints, whoever saves them; voices, limits and the like are excluded (docs/decisions/flows.md#flows-gate).
 */
export function fingerprintOf(settings: Json): string {
  const { brain, firstResponse, variables, rehearsals } = agentConfigSchema.parse(settings);
  return sha256Hex(ordered({ brain, firstResponse, variables, scenarios: rehearsals.scenarios }));
}

/** JSON with sorted keys, as the database keeps an order of its own. */
export function ordered(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
