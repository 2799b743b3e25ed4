import { agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Of all that a rehearsal of an agent depends on: what it says, by what it is rehearsed. The same for the same settings,
 * whoever wrote them and however often; voices, limits and the like are not in it (docs/decisions/flows.md#flows-gate).
 */
export function fingerprintOf(settings: Json): string {
  const { brain, firstResponse, variables, rehearsals } = agentConfigSchema.parse(settings);
  return sha256Hex(ordered({ brain, firstResponse, variables, scenarios: rehearsals.scenarios }));
}

/** JSON with its names in order: the database has an order of its own. */
export function ordered(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}
