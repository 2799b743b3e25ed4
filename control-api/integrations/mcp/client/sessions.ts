import { SdkHttpError } from "@modelcontextprotocol/client";
import {
  type McpTarget,
  openSession,
  type Session,
  type SessionDeps,
  type SessionLimits,
  targetKey,
} from "./session.ts";

/** A session that nobody used for so long is ended. */
const IDLE_MS = 60_000;
const SWEEP_MS = 15_000;
/** Kept of one organization; what comes beyond is ended as soon as it was used. */
const MAX_KEPT_PER_ORG = 16;
/** How a server says that it knows the session no more: as the protocol has it, and as many do. */
const UNKNOWN_SESSION: ReadonlySet<number> = new Set([404, 400]);

interface Kept {
  readonly orgId: string;
  readonly session: Promise<Session>;
  users: number;
  usedAtMs: number;
}

/** Sessions with tool servers, kept while they are used: a handshake before each call would be heard in the call. */
export class McpSessions {
  readonly #deps: SessionDeps;
  readonly #kept = new Map<string, Kept>();
  #stopSweeping: (() => void) | undefined;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** `work` may run twice: a server that knows a session no more has done nothing in it. Rejects as `openSession` and `work` do. */
  async use<T>(target: McpTarget, limits: SessionLimits, work: (session: Session) => Promise<T>): Promise<T> {
    const wasKept = this.#kept.has(targetKey(target));
    try {
      return await this.#useOnce(target, limits, work);
    } catch (error) {
      if (!wasKept || !(error instanceof SdkHttpError) || !UNKNOWN_SESSION.has(error.status ?? 0))
        throw error;
      return this.#useOnce(target, limits, work);
    }
  }

  /** Ends every session; what is under way is given up. */
  async close(): Promise<void> {
    this.#stopSweeping?.();
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map(end));
  }

  async #useOnce<T>(
    target: McpTarget,
    limits: SessionLimits,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const key = targetKey(target);
    const kept = this.#kept.get(key) ?? this.#open(key, target, limits);
    kept.users += 1;
    let isSound = false;
    try {
      const done = await work(await kept.session);
      isSound = true;
      return done;
    } finally {
      kept.users -= 1;
      kept.usedAtMs = this.#deps.clock.monotonicMs();
      if (!isSound && this.#kept.get(key) === kept) this.#kept.delete(key);
      if (this.#kept.get(key) !== kept && kept.users === 0) void end(kept);
    }
  }

  #open(key: string, target: McpTarget, { timeoutMs }: SessionLimits): Kept {
    // Whoever opens it may hang up while others wait for it, so that no signal ends the handshake but its own time.
    const session = openSession(target, { timeoutMs }, this.#deps);
    session.catch(() => undefined);
    const usedAtMs = this.#deps.clock.monotonicMs();
    const kept: Kept = { orgId: target.orgId, session, users: 0, usedAtMs };
    const ofOrg = [...this.#kept.values()].filter(({ orgId }) => orgId === target.orgId);
    if (ofOrg.length < MAX_KEPT_PER_ORG) this.#kept.set(key, kept);
    this.#stopSweeping ??= this.#deps.clock.every(SWEEP_MS, () => this.#sweep());
    return kept;
  }

  #sweep(): void {
    const idleSinceMs = this.#deps.clock.monotonicMs() - IDLE_MS;
    for (const [key, kept] of this.#kept) {
      if (kept.users > 0 || kept.usedAtMs > idleSinceMs) continue;
      this.#kept.delete(key);
      void end(kept);
    }
  }
}

async function end({ session }: Kept): Promise<void> {
  await session.then((opened) => opened.end()).catch(() => undefined);
}
