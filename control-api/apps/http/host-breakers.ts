import { BridgeError } from "@parley/platform/wire/errors.ts";
import { OrgMap } from "@parley/shared/org-map.ts";

const FAILURES = 5;
const PAUSE_MS = 30_000;
const BOUNDS = { perOrg: 200, orgs: 1_000 };

interface Standing {
  failures: number;
  untilMs: number;
}

/** Circuit breakers per organization and host: several failures in a row pause requests for a while. */
export class HostBreakers {
  readonly #nowMs: () => number;
  readonly #hosts = new OrgMap<Standing>(BOUNDS);

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Throws `BridgeError` vendor_failed while the host is paused. */
  assertClosed(orgId: string, host: string): void {
    const restMs = (this.#hosts.get(orgId, host)?.untilMs ?? 0) - this.#nowMs();
    if (restMs > 0)
      throw new BridgeError(
        "vendor_failed",
        `${host} failed ${FAILURES} times in a row; it is asked again in ${Math.ceil(restMs / 1_000)} s.`,
        {
          retryAfterMs: restMs,
        },
      );
  }

  succeeded(orgId: string, host: string): void {
    this.#hosts.delete(orgId, host);
  }

  failed(orgId: string, host: string): void {
    const failures = (this.#hosts.get(orgId, host)?.failures ?? 0) + 1;
    const untilMs = failures >= FAILURES ? this.#nowMs() + PAUSE_MS : 0;
    this.#hosts.set(orgId, host, { failures, untilMs });
  }
}
