import type { Clock } from "@parley/shared/clock.ts";
import type { McpTool } from "@parley/shared/contracts/mcp.ts";
import { OrgMap } from "@parley/shared/org-map.ts";
import { cleanedTools } from "./client/cleaned-tools.ts";
import { asUnauthorized, type McpTarget, targetKey } from "./client/session.ts";
import type { McpSessions } from "./client/sessions.ts";

/** Lifetime of a list whose server names none; named ones are clamped to the bounds below. */
const STANDARD_MS = 10 * 60_000;
const MIN_MS = 30_000;
const MAX_MS = 60 * 60_000;
/** How long a server that gave no list is left alone, so that calls begin without waiting for it. */
const AFTER_FAILURE_MS = 30_000;
/** Calls wait for this if the server's tools were never listed. */
const TIMEOUT_MS = 3_000;

interface Kept {
  readonly tools: readonly McpTool[] | undefined;
  readonly freshUntilMs: number;
}

/**
 * Caches servers' tool lists for as long as each server allows; an expired list is still served while it is refreshed
 * in the background.
 */
export class ToolLists {
  readonly #sessions: Pick<McpSessions, "use">;
  readonly #clock: Clock;
  readonly #kept = new OrgMap<Kept>({ perOrg: 100, orgs: 1_000 });
  readonly #listing = new Map<string, Promise<readonly McpTool[]>>();

  constructor(sessions: Pick<McpSessions, "use">, clock: Clock) {
    this.#sessions = sessions;
    this.#clock = clock;
  }

  /** Undefined: the server gave no list, so its tools are unknown. Never rejects. */
  async of(target: McpTarget): Promise<readonly McpTool[] | undefined> {
    const kept = this.#kept.get(target.orgId, targetKey(target));
    if (kept && kept.freshUntilMs > this.#clock.monotonicMs()) return kept.tools;
    const listed = this.list(target).catch(() => undefined);
    return kept?.tools ?? listed;
  }

  /** Asks the server, bypassing the cache. Rejects as `openSession` does, and with what the client library throws. */
  list(target: McpTarget): Promise<readonly McpTool[]> {
    const key = targetKey(target);
    const listing = this.#listing.get(key);
    if (listing) return listing;
    const begun = this.#list(target, key).finally(() => this.#listing.delete(key));
    this.#listing.set(key, begun);
    return begun;
  }

  async #list(target: McpTarget, key: string): Promise<readonly McpTool[]> {
    const { orgId } = target;
    try {
      const given = await this.#sessions.use(target, { timeoutMs: TIMEOUT_MS }, (session) =>
        session.client
          .listTools(undefined, { timeout: TIMEOUT_MS, maxTotalTimeout: TIMEOUT_MS, cacheMode: "refresh" })
          .catch((error: unknown) => {
            throw asUnauthorized(error, session);
          }),
      );
      const { tools } = cleanedTools(given.tools);
      this.#kept.set(orgId, key, { tools, freshUntilMs: this.#clock.monotonicMs() + lifeOf(given) });
      return tools;
    } catch (error) {
      const { tools } = this.#kept.get(orgId, key) ?? { tools: undefined };
      this.#kept.set(orgId, key, { tools, freshUntilMs: this.#clock.monotonicMs() + AFTER_FAILURE_MS });
      throw error;
    }
  }
}

function lifeOf(listed: object): number {
  const ttlMs: unknown = "ttlMs" in listed ? listed.ttlMs : undefined;
  return typeof ttlMs === "number" ? Math.min(Math.max(ttlMs, MIN_MS), MAX_MS) : STANDARD_MS;
}
