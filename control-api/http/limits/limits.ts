import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../database/open.ts";
import { clearCount, countDown, countUp, takeSliding } from "./store.ts";

interface Limit {
  readonly max: number;
  readonly windowMs: number;
  /** Holds in every window of that length; otherwise windows are consecutive, and twice as many fit around an edge. */
  readonly sliding?: true;
  /** What there were too many of, as the refusal words it. */
  readonly what: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** All rate limits, counted in the database across all nodes. */
const LIMITS = {
  lookup_per_address: { max: 30, windowMs: MINUTE_MS, what: "look-ups from this address" },
  register_per_address: { max: 100, windowMs: HOUR_MS, what: "new accounts from this address" },
  password_per_account: { max: 10, windowMs: 15 * MINUTE_MS, what: "wrong passwords for this account" },
  password_per_address: { max: 300, windowMs: 15 * MINUTE_MS, what: "wrong passwords from this address" },
  second_factor_per_account: { max: 10, windowMs: 15 * MINUTE_MS, what: "wrong codes for this account" },
  code_sends_per_destination: {
    max: 5,
    windowMs: HOUR_MS,
    sliding: true,
    what: "codes to this destination",
  },
  // Separate, so that what others send to somebody neither blocks their sign-in nor reveals that an account exists.
  other_sends_per_destination: {
    max: 5,
    windowMs: HOUR_MS,
    sliding: true,
    what: "messages to this destination",
  },
  // Separate, so that using up somebody's codes does not block their password reset.
  reset_sends_per_destination: {
    max: 5,
    windowMs: HOUR_MS,
    sliding: true,
    what: "links to this destination",
  },
  code_sends_per_address: { max: 60, windowMs: HOUR_MS, what: "messages asked for from this address" },
  code_guesses_per_address: { max: 100, windowMs: 15 * MINUTE_MS, what: "wrong codes from this address" },
  refresh_per_address: { max: 1_200, windowMs: 5 * MINUTE_MS, what: "refreshes from this address" },
  sign_in_starts_per_address: { max: 60, windowMs: MINUTE_MS, what: "sign-ins begun from this address" },
  // For signed-in users: strangers guessing at the account must not lock out its holder.
  password_checks_per_user: { max: 10, windowMs: 15 * MINUTE_MS, what: "wrong passwords" },
  password_changes_per_user: { max: 5, windowMs: HOUR_MS, sliding: true, what: "new passwords" },
  organizations_per_user: { max: 20, windowMs: 24 * HOUR_MS, what: "new organizations" },
  invitations_per_organization: {
    max: 200,
    windowMs: 24 * HOUR_MS,
    what: "invitations of this organization",
  },
  // Nobody types faster; each message asks the brain, or polls for its answer.
  chat_messages_per_client_token: { max: 30, windowMs: MINUTE_MS, what: "messages in this chat" },
  // Each may cost a call. Nobody starts more, not even an office behind one address.
  public_visits_per_address: { max: 30, windowMs: MINUTE_MS, what: "conversations from this address" },
  links_per_address: { max: 120, windowMs: MINUTE_MS, what: "links opened from this address" },
  access_codes_per_address: { max: 20, windowMs: 15 * MINUTE_MS, what: "wrong codes from this address" },
  // Counts across addresses: prevents brute-forcing a short code.
  access_codes_per_page: { max: 200, windowMs: HOUR_MS, what: "wrong codes here" },
  connector_writes_per_key: { max: 600, windowMs: HOUR_MS, what: "changes of connections by this key" },
  // Separate: creating a verified connection takes one of each.
  connector_verifications_per_key: {
    max: 600,
    windowMs: HOUR_MS,
    what: "verifications of connections by this key",
  },
  // As many as connector verifications: both spend somebody's money.
  brain_tests_per_organization: { max: 600, windowMs: HOUR_MS, what: "brain tests of this organization" },
  tool_tries_per_user: { max: 300, windowMs: HOUR_MS, what: "tries of tools" },
  mcp_requests_per_organization: {
    max: 600,
    windowMs: HOUR_MS,
    what: "requests to tool servers of this organization",
  },
  app_http_per_organization: {
    max: 1_200,
    windowMs: MINUTE_MS,
    what: "requests of apps of this organization",
  },
  // A dedicated thread reads each for up to seconds.
  app_uploads_per_organization: {
    max: 120,
    windowMs: HOUR_MS,
    what: "published bundles of this organization",
  },
  app_speech_per_organization: {
    max: 1_200,
    windowMs: HOUR_MS,
    what: "texts that apps of this organization have spoken",
  },
  // Each may use a paid model and recognizer, and no carrier's bill limits them.
  loopback_calls_per_organization: {
    max: 120,
    windowMs: MINUTE_MS,
    what: "simulated calls to this organization",
  },
} as const satisfies Record<string, Limit>;
export type LimitName = keyof typeof LIMITS;

type FixedLimitName = {
  [K in LimitName]: (typeof LIMITS)[K] extends { readonly sliding: true } ? never : K;
}[LimitName];

/** Takes from a limit before the work is done, so that concurrent requests cannot exceed it. */
export class Limits {
  readonly #deps: { readonly database: Database; readonly clock: Clock };

  constructor(deps: { readonly database: Database; readonly clock: Clock }) {
    this.#deps = deps;
  }

  /** Throws `AppError` too_many_requests with `Retry-After`; `details.limit` names the rule. */
  async take(name: LimitName, subject: string): Promise<void> {
    const limit: Limit = LIMITS[name];
    const nowMs = this.#deps.clock.wallMs();
    const freeAtMs = await this.#freeAt(limit, keyOf(name, subject), nowMs);
    if (freeAtMs === undefined) return;
    const retryAfterSecs = Math.max(1, Math.ceil((freeAtMs - nowMs) / 1_000));
    throw new AppError("too_many_requests", `Too many ${limit.what}; wait ${retryAfterSecs} s.`, {
      retryAfterSecs,
      details: { limit: name },
    });
  }

  /** Undefined if one was taken, else when the next becomes available. */
  async #freeAt({ max, windowMs, sliding }: Limit, key: string, nowMs: number): Promise<number | undefined> {
    const { database } = this.#deps;
    const at = new Date(nowMs);
    const resetsAt = new Date(nowMs + windowMs);
    if (sliding) {
      const since = new Date(nowMs - windowMs);
      const refused = await takeSliding(database, key, { at, since, max, resetsAt });
      return refused && refused.oldest.getTime() + windowMs;
    }
    const window = await countUp(database, key, { at, resetsAt });
    return window.count <= max ? undefined : window.resetsAt.getTime();
  }

  /** Returns one: the attempt turned out not to be a failure. */
  async giveBack(name: FixedLimitName, subject: string): Promise<void> {
    await countDown(this.#deps.database, keyOf(name, subject));
  }

  async clear(name: LimitName, subject: string): Promise<void> {
    await clearCount(this.#deps.database, keyOf(name, subject));
  }
}

/** Hashed, so that the table does not list who tried to sign in. */
function keyOf(name: LimitName, subject: string): string {
  return `${name}:${sha256Hex(subject)}`;
}
