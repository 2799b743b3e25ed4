import { randomInt } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import type { OtpSent } from "@parley/shared/contracts/accounts.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { sha256Hex, timingSafeEqualText } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../database/open.ts";
import type { Limits } from "../../http/limits/limits.ts";
import type { Messenger } from "../notifications/messenger.ts";
import { codeMessage } from "../notifications/texts.ts";
import { hintOf, type Identifier } from "./identifier.ts";
import {
  consumeCode,
  findCode,
  giveGuessBack,
  insertCode,
  MAX_GUESSES,
  replaceCode,
  takeGuess,
} from "./store.ts";

const LIFETIME_MINUTES = 10;
const LIFETIME_MS = LIFETIME_MINUTES * 60_000;
const COOLDOWN_MS = 60_000;
const DIGITS = 6;

export interface OneTimeCodesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly messenger: Messenger;
}

/** Whom a code is for. */
export interface CodeFor {
  readonly purpose: "login" | "verify";
  readonly identifier: Identifier;
  /** Null when nobody has the identifier: everything happens but the sending. */
  readonly userId: string | null;
}

/** Codes of six digits, sent to an identifier: ten minutes, one use, five guesses. */
export class OneTimeCodes {
  readonly #deps: OneTimeCodesDeps;

  constructor(deps: OneTimeCodesDeps) {
    this.#deps = deps;
  }

  /** Throws `AppError` too_many_requests after five sends to a destination in an hour. */
  async send({ purpose, identifier, userId }: CodeFor): Promise<OtpSent> {
    const { database, clock, limits } = this.#deps;
    await limits.take("code_sends_per_destination", identifier.value);
    const id = newId("otp");
    const code = newCode();
    const nowMs = clock.wallMs();
    await insertCode(database, {
      id,
      purpose,
      userId,
      channel: identifier.channel,
      destination: identifier.value,
      codeHash: hashOf(id, code),
      sentAt: new Date(nowMs),
      expiresAt: new Date(nowMs + LIFETIME_MS),
    });
    this.#post({ identifier, userId }, code);
    return sent(id, identifier);
  }

  /**
   * A new code for the same request; the guesses made stay counted. Throws `AppError` too_many_requests within
   * the cooldown, gone for a request that is used up or unknown.
   */
  async resend(requestId: string): Promise<OtpSent> {
    const { database, clock, limits } = this.#deps;
    const known = await findCode(database, requestId);
    if (!known || known.consumedAt !== null || known.attempts >= MAX_GUESSES) throw usedUp();
    const nowMs = clock.wallMs();
    const waitMs = known.sentAt.getTime() + COOLDOWN_MS - nowMs;
    if (waitMs > 0) throw tooSoon(waitMs);
    await limits.take("code_sends_per_destination", known.destination);
    const code = newCode();
    const isFirst = await replaceCode(database, requestId, {
      codeHash: hashOf(requestId, code),
      sentAt: new Date(nowMs),
      expiresAt: new Date(nowMs + LIFETIME_MS),
      lastSentAt: known.sentAt,
    });
    if (!isFirst) throw tooSoon(COOLDOWN_MS);
    const identifier = { channel: known.channel, value: known.destination };
    this.#post({ identifier, userId: known.userId }, code);
    return sent(requestId, identifier);
  }

  /**
   * Whose code this is, when it is right; it is not used up yet. Throws `AppError` code_invalid for one that is
   * wrong, too old, used, or guessed at too often: which of them is not told.
   */
  async check(requestId: string, code: string, purpose: "login" | "verify"): Promise<string> {
    const { database, clock } = this.#deps;
    const guess = await takeGuess(database, requestId, { purpose, at: new Date(clock.wallMs()) });
    const isRight = timingSafeEqualText(guess?.codeHash ?? "", hashOf(requestId, code.trim()));
    if (!guess || !isRight || guess.userId === null) throw wrongCode();
    await giveGuessBack(database, requestId);
    return guess.userId;
  }

  /** Uses a code up. Throws `AppError` code_invalid when somebody else did. */
  async consume(requestId: string): Promise<void> {
    const { database, clock } = this.#deps;
    if (!(await consumeCode(database.db, requestId, new Date(clock.wallMs())))) throw wrongCode();
  }

  #post({ identifier, userId }: Pick<CodeFor, "identifier" | "userId">, code: string): void {
    if (userId === null) return;
    const to = { channel: identifier.channel, to: identifier.value };
    this.#deps.messenger.post(codeMessage(to, { code, minutes: LIFETIME_MINUTES }));
  }
}

export function wrongCode(): AppError {
  return new AppError("code_invalid", "The code is wrong, too old or used; ask for a new one.");
}

function usedUp(): AppError {
  return new AppError("gone", "This request for a code is over; begin with a new one.");
}

function tooSoon(waitMs: number): AppError {
  const retryAfterSecs = Math.ceil(waitMs / 1_000);
  return new AppError(
    "too_many_requests",
    `A code was sent just now; wait ${retryAfterSecs} s for another.`,
    {
      retryAfterSecs,
      details: { limit: "code_resend_cooldown" },
    },
  );
}

function sent(requestId: string, identifier: Identifier): OtpSent {
  return {
    requestId,
    channel: identifier.channel,
    destinationHint: hintOf(identifier),
    expiresInMinutes: LIFETIME_MINUTES,
  };
}

function newCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
}

/** Only the SHA-256 is stored; the request's id in it keeps equal codes from looking equal. */
function hashOf(requestId: string, code: string): string {
  return sha256Hex(`${requestId}:${code}`);
}
