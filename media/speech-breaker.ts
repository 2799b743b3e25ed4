import { Circuits } from "@parley/shared/circuits.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { SpeechError } from "./speech-error.ts";

/** Styles come from agents' settings, so there may be many. */
const BOUNDS = { perOrg: 200, orgs: 10_000 };
const RULES = { opensAfter: 3, coolDownMs: 15_000, bounds: BOUNDS };

/**
 * Circuit breakers for the speech vendors, shared by all calls of one organization in a process: a dead vendor costs
 * the organization its timeout a few times, rather than once per call. Failures are not shared between organizations,
 * since an organization's own voice or words may cause them. After the cool-down one call probes the vendor, while the
 * others keep skipping it.
 */
export class SpeechBreakers {
  readonly #circuits: Circuits;

  constructor(clock: Clock) {
    this.#circuits = new Circuits(clock, RULES);
  }

  of(orgId: string): OrgSpeechBreakers {
    return new OrgSpeechBreakers(orgId, this.#circuits);
  }
}

/**
 * The breakers as the calls of one organization see them.
 *
 * `style` is what a call asks of the vendor (model, voice, language). A vendor that refuses one style, such as a voice
 * it does not know, is skipped for that style only.
 */
export class OrgSpeechBreakers {
  readonly #orgId: string;
  readonly #circuits: Circuits;

  constructor(orgId: string, circuits: Circuits) {
    this.#orgId = orgId;
    this.#circuits = circuits;
  }

  /** False to skip this vendor. True for the one call that probes it after the cool-down. */
  admits(vendor: string, style = ""): boolean {
    return this.#circuits.admits(this.#orgId, vendor, keyOf(vendor, style));
  }

  succeeded(vendor: string, style = ""): void {
    this.#circuits.answered(this.#orgId, vendor);
    this.#circuits.answered(this.#orgId, keyOf(vendor, style));
  }

  /** Records a failure. An error that no retry cures opens the style's circuit at once. */
  failed(vendor: string, error: SpeechError, style = ""): void {
    if (error.retryable) this.#circuits.failed(this.#orgId, vendor);
    else this.#circuits.open(this.#orgId, keyOf(vendor, style));
  }
}

function keyOf(vendor: string, style: string): string {
  return `${vendor}\n${style}`;
}
