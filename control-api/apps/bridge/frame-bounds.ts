import type { Method } from "@parley/platform/methods/define.ts";
import { FRAME_LIMITS } from "@parley/platform/methods/limits.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { OrgMap } from "@parley/shared/org-map.ts";

const MINUTE_MS = 60_000;
/** Bounds on the frames tracked; beyond them an organization evicts its own oldest frame. */
const BOUNDS = { perOrg: 2_000, orgs: 1_000 };

interface Use {
  inFlight: number;
  startedMs: number;
  calls: number;
}

/** Limits each frame's calls to this process, concurrent and per minute, per method and in total. */
export class FrameBounds {
  readonly #nowMs: () => number;
  readonly #uses = new OrgMap<Map<string, Use>>(BOUNDS);

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Returns a function that ends the call. Throws `BridgeError` rate_limited, with `retryAfterMs`. */
  begin(
    { orgId, frameId }: { readonly orgId: string; readonly frameId: string },
    { name, limits, streams }: Method,
  ): () => void {
    const frame = this.#uses.get(orgId, frameId) ?? new Map<string, Use>();
    this.#uses.set(orgId, frameId, frame);
    const isSubscription = streams === "subscription";
    const all = isSubscription
      ? { perMinute: FRAME_LIMITS.perMinute, inFlight: FRAME_LIMITS.subscriptions }
      : FRAME_LIMITS;
    const total = this.#useOf(frame, isSubscription ? "*subscriptions" : "*");
    const own = this.#useOf(frame, name);
    this.#assertWithin(total, all, "this frame");
    this.#assertWithin(own, isSubscription ? all : limits, name);
    for (const use of [total, own]) {
      use.calls += 1;
      use.inFlight += 1;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const use of [total, own]) use.inFlight -= 1;
    };
  }

  #useOf(frame: Map<string, Use>, name: string): Use {
    const nowMs = this.#nowMs();
    const known = frame.get(name);
    if (known && nowMs - known.startedMs < MINUTE_MS) return known;
    const use = { inFlight: known?.inFlight ?? 0, startedMs: nowMs, calls: 0 };
    if (known) return Object.assign(known, use);
    frame.set(name, use);
    return use;
  }

  #assertWithin(
    use: Use,
    { perMinute, inFlight }: { perMinute: number; inFlight: number },
    what: string,
  ): void {
    const retryAfterMs = Math.max(1, use.startedMs + MINUTE_MS - this.#nowMs());
    if (use.calls >= perMinute)
      throw new BridgeError("rate_limited", `More than ${perMinute} calls a minute of ${what}.`, {
        retryAfterMs,
      });
    if (use.inFlight >= inFlight)
      throw new BridgeError("rate_limited", `More than ${inFlight} calls of ${what} at once.`, {
        retryAfterMs: 1_000,
      });
  }
}
