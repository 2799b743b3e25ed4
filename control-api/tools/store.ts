import { agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import { type BusToolSettings, isBusTool, type ToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import { OrgMap } from "@parley/shared/org-map.ts";
import { sql } from "kysely";
import type { Database } from "../database/open.ts";

/** Where a tool's settings are found. */
export interface ToolPlace {
  readonly orgId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly name: string;
}

type VersionPlace = Omit<ToolPlace, "name">;
type CallPlace = VersionPlace & { readonly sessionId: string };

const BOUNDS = { perOrg: 100, orgs: 1_000 };

/**
 * Tools of agents' versions. A version never changes once it is stored, so its tools are read once and kept: a live
 * call waits for them.
 */
export class VersionTools {
  readonly #database: Database;
  readonly #kept = new OrgMap<readonly BusToolSettings[]>(BOUNDS);

  constructor(database: Database) {
    this.#database = database;
  }

  /** A tool in the agent version that a conversation began with. */
  async find(place: ToolPlace): Promise<BusToolSettings | undefined> {
    const tools = await this.#toolsOf(place);
    return tools.find(({ name }) => name === place.name);
  }

  /** Whether there is such a call with this version of the agent, and it is not over. */
  async isOngoing({ orgId, agentId, agentVersion, sessionId }: CallPlace): Promise<boolean> {
    const { rows } = await sql`
      -- prepared: tools-is-ongoing-call
      select 1 from calls
      join agent_versions on agent_versions.agent_id = calls.agent_id and agent_versions.version = calls.agent_version
      where calls.session_id = ${sessionId} and calls.org_id = ${orgId} and calls.ended_at is null
        and calls.agent_id = ${agentId} and calls.agent_version = ${agentVersion}`.execute(this.#database.db);
    return rows.length > 0;
  }

  async #toolsOf({ orgId, agentId, agentVersion }: VersionPlace): Promise<readonly BusToolSettings[]> {
    const key = `${agentId}:${agentVersion}`;
    const known = this.#kept.get(orgId, key);
    if (known) return known;
    const row = await this.#database.db
      .selectFrom("agent_versions")
      .select("settings")
      .where("agent_id", "=", agentId)
      .where("version", "=", agentVersion)
      .where("org_id", "=", orgId)
      .executeTakeFirst();
    if (!row) return [];
    const tools: readonly ToolSettings[] = agentConfigSchema.parse(row.settings).brain.tools;
    const ours = tools.filter(isBusTool);
    this.#kept.set(orgId, key, ours);
    return ours;
  }
}
