import { SdkHttpError } from "@modelcontextprotocol/client";
import {
  type McpTarget,
  openSession,
  type Session,
  type SessionDeps,
  type SessionLimits,
  targetKey,
} from "./session.ts";

/** Idle time after which a session ends. */
const IDLE_MS = 60_000;
const SWEEP_MS = 15_000;
/** Sessions kept per organization; any beyond end right after use. */
const MAX_KEPT_PER_ORG = 16;
/** Statuses for an unknown session: that of the protocol, and the one many servers send. */
const UNKNOWN_SESSION: ReadonlySet<number> = new Set([404, 400]);

interface Kept {
  readonly orgId: string;
  readonly session: Promise<Session>;
  users: number;
  usedAtMs: number;
}

/** Keeps sessions with tool servers open between uses: callers would hear a handshake before each tool call. */
export class McpSessions {
  readonly #deps: SessionDeps;
  readonly #kept = new Map<string, Kept>();
  #stopSweeping: (() => void) | undefined;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Runs `work`, twice if the server forgot the session and so did nothing. Rejects as `openSession` and `work` do. */
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

  /** Ends every session and gives up pending requests. */
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
    // Takes no signal: whoever opens the session may hang up while others wait. Only the timeout ends the handshake.
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
