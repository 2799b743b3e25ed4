import type { Clock } from "@parley/shared/clock.ts";
import { OrgMap } from "@parley/shared/org-map.ts";
import type { SpeechError } from "./speech-error.ts";

/** Failures in a row after which a vendor is skipped. */
const OPENS_AFTER = 3;
const COOL_DOWN_MS = 15_000;
/** Circuits remembered. Styles come from agents' settings, so there may be many. */
const BOUNDS = { perOrg: 200, orgs: 10_000 };

interface Circuit {
  failures: number;
  openUntilMs: number;
}

/**
 * Circuit breakers of the speech vendors, one organization's for all its calls in a process: a dead vendor costs it its
 * time-out a few times, not once a call. What makes a vendor fail may be an organization's own voice or words, so its
 * failures are nobody else's. After the cool-down one call probes the vendor; the others go on skipping it.
 */
export class SpeechBreakers {
  readonly #clock: Clock;
  readonly #circuits = new OrgMap<Circuit>(BOUNDS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(orgId: string): OrgSpeechBreakers {
    return new OrgSpeechBreakers(orgId, this.#circuits, this.#clock);
  }
}

/**
 * The breakers as the calls of one organization see them.
 *
 * `style` is what a call asks of the vendor (model, voice, language). A vendor that refuses one style, for
 * example a voice it does not know, is skipped for that style only.
 */
export class OrgSpeechBreakers {
  readonly #orgId: string;
  readonly #circuits: OrgMap<Circuit>;
  readonly #clock: Clock;

  constructor(orgId: string, circuits: OrgMap<Circuit>, clock: Clock) {
    this.#orgId = orgId;
    this.#circuits = circuits;
    this.#clock = clock;
  }

  /** False: skip this vendor. True for the one call that probes it after the cool-down. */
  admits(vendor: string, style = ""): boolean {
    const nowMs = this.#clock.monotonicMs();
    const open = [vendor, keyOf(vendor, style)]
      .map((key) => this.#circuits.get(this.#orgId, key))
      .filter((circuit) => circuit !== undefined && circuit.failures >= OPENS_AFTER);
    if (open.some((circuit) => circuit && nowMs < circuit.openUntilMs)) return false;
    for (const circuit of open) if (circuit) circuit.openUntilMs = nowMs + COOL_DOWN_MS;
    return true;
  }

  succeeded(vendor: string, style = ""): void {
    this.#circuits.delete(this.#orgId, vendor);
    this.#circuits.delete(this.#orgId, keyOf(vendor, style));
  }

  /** An error that no retry cures opens the style's circuit at once. */
  failed(vendor: string, error: SpeechError, style = ""): void {
    const key = error.retryable ? vendor : keyOf(vendor, style);
    const before = this.#circuits.get(this.#orgId, key)?.failures ?? 0;
    const failures = error.retryable ? before + 1 : OPENS_AFTER;
    this.#circuits.set(this.#orgId, key, { failures, openUntilMs: this.#clock.monotonicMs() + COOL_DOWN_MS });
  }
}

function keyOf(vendor: string, style: string): string {
  return `${vendor}\n${style}`;
}
