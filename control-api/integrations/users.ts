import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import { agentsUsing, type UsingAgent } from "../agents/agents/agents-using.ts";
import type { Tables } from "../database/tables.ts";

const MAX_NAMES = 10;

/** Throws `AppError` conflict, naming the agents with such a tool, if there are any. */
export async function assertUnused(
  trx: Kysely<Tables>,
  { orgId, tool }: { readonly orgId: string; readonly tool: Readonly<Record<string, unknown>> },
): Promise<void> {
  refuseUsed(await agentsUsing(trx, { orgId, tool }));
}

/** Throws `AppError` conflict, naming the agents, unless there are none. */
export function refuseUsed(agents: readonly UsingAgent[]): void {
  if (agents.length === 0) return;
  const users = agents.map(({ name }) => `agent ${name}`);
  const names = users.slice(0, MAX_NAMES).join(", ");
  const more = users.length > MAX_NAMES ? ` and ${users.length - MAX_NAMES} more` : "";
  const message = `This connection is still used by ${names}${more}. Remove it there first.`;
  throw new AppError("conflict", message, { details: { usedBy: agents.slice(0, MAX_NAMES) } });
}
