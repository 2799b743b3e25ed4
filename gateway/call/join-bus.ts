import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { type CallPlan, liveCallKey, lostCallKey } from "@parley/shared/contracts/call-plan.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Renewals } from "../nodes/renewals.ts";
import { serveCommands } from "./commands.ts";
import type { FramePublisher } from "./frames.ts";
import type { LiveCall } from "./live-call.ts";

/** Leases reveal a dead holder; this slack only bounds how long its stale key can stay. */
const LIVE_KEY_SLACK_MS = 60_000;
/** The longest that a call stays unknown to other nodes once the bus is back. */
const TRY_AGAIN_MS = 1_000;

export interface BusSide {
  readonly bus: Bus;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly renewals: Renewals;
}

export interface OpenedCall {
  readonly plan: Pick<CallPlan, "sessionId" | "maxDurationMs">;
  readonly call: Pick<LiveCall, "isOver" | "end" | "execute">;
  readonly frames: Pick<FramePublisher, "watch" | "learnOfWatchers">;
  readonly log: Logger;
}

/**
 * Tells the other nodes where the call is and listens to them; the returned function undoes both. A call that begins
 * while the bus is away retries every second, or nobody could ever end or watch it. A bus that came back empty learns
 * of the call at the node's next heartbeat, unless its record has ended meanwhile: then the call ends, too.
 */
export function joinBus({ bus, nodeId, clock, renewals }: BusSide, opened: OpenedCall): () => void {
  const { plan, call, frames, log } = opened;
  const { sessionId, maxDurationMs } = plan;
  const left = new AbortController();
  const failed = (what: string) => (error: unknown) =>
    log.warn(
      { event: "call_bus_work_failed", err: messageOf(error), what },
      "failed to do a call's work on the bus",
    );

  const persist = (what: string, work: () => Promise<void>): void => {
    if (left.signal.aborted) return;
    work().catch((error: unknown) => {
      failed(what)(error);
      const cancel = clock.after(TRY_AGAIN_MS, () => persist(what, work));
      left.signal.addEventListener("abort", cancel, { once: true });
    });
  };
  const tell = (): Promise<void> =>
    bus.keys.set(liveCallKey(sessionId), nodeId, maxDurationMs + LIVE_KEY_SLACK_MS);
  persist("live key", tell);
  const renew = (): void =>
    persist("live key", async () => {
      if ((await bus.keys.get(lostCallKey(sessionId))) === undefined) await tell();
      else call.end("node_lost");
    });
  left.signal.addEventListener("abort", renewals.add(renew), { once: true });
  persist("commands", async () => {
    const stop = await serveCommands(bus.channels, { sessionId, call, frames });
    const leave = (): void => void stop().catch(failed("commands"));
    if (left.signal.aborted) {
      leave();
      return;
    }
    left.signal.addEventListener("abort", leave, { once: true });
    persist("watchers", () => frames.learnOfWatchers(bus.keys));
  });
  /** Repeated until the bus takes it: watchers who missed the call's last frame would wait for its end. */
  const forget = (): void => {
    if (renewals.isClosed) return;
    bus.keys.delete(liveCallKey(sessionId)).catch((error: unknown) => {
      failed("live key")(error);
      clock.after(TRY_AGAIN_MS, forget);
    });
  };
  return () => {
    left.abort();
    forget();
  };
}
