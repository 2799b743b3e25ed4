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
/** Sign-in codes count separately, and equally whether or not an account exists. */
const SENDS = { login: "code_sends_per_destination", verify: "other_sends_per_destination" } as const;

export interface OneTimeCodesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly messenger: Messenger;
}

/** The recipient and purpose of a code. */
export interface CodeFor {
  readonly purpose: "login" | "verify";
  readonly identifier: Identifier;
  /** Null if nobody has the identifier: everything happens except the sending. */
  readonly userId: string | null;
}

/** Six-digit codes sent to an identifier: valid ten minutes, one use, five guesses. */
export class OneTimeCodes {
  readonly #deps: OneTimeCodesDeps;

  constructor(deps: OneTimeCodesDeps) {
    this.#deps = deps;
  }

  /** Throws `AppError` too_many_requests after five sends to a destination in an hour. */
  async send({ purpose, identifier, userId }: CodeFor): Promise<OtpSent> {
    const { database, clock, limits } = this.#deps;
    await limits.take(SENDS[purpose], identifier.value);
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
   * Sends a new code for the same request; guesses stay counted. Throws `AppError` too_many_requests within the
   * cooldown, gone if the request is used up or unknown.
   */
  async resend(requestId: string): Promise<OtpSent> {
    const { database, clock, limits } = this.#deps;
    const known = await findCode(database, requestId);
    if (!known || known.consumedAt !== null || known.attempts >= MAX_GUESSES) throw usedUp();
    const nowMs = clock.wallMs();
    const waitMs = known.sentAt.getTime() + COOLDOWN_MS - nowMs;
    if (waitMs > 0) throw tooSoon(waitMs);
    await limits.take(SENDS[known.purpose], known.destination);
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
   * Returns the owner of a correct code without using it up. Throws `AppError` code_invalid for a code that is wrong,
   * expired, used or guessed at too often, without saying which.
   */
  async check(requestId: string, code: string, purpose: "login" | "verify"): Promise<string> {
    const { database, clock } = this.#deps;
    const guess = await takeGuess(database, requestId, { purpose, at: new Date(clock.wallMs()) });
    const isRight = timingSafeEqualText(guess?.codeHash ?? "", hashOf(requestId, code.trim()));
    if (!guess || !isRight || guess.userId === null) throw wrongCode();
    await giveGuessBack(database, requestId);
    return guess.userId;
  }

  /** Uses up a code. Throws `AppError` code_invalid if it was already used. */
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
  return new AppError(
    "code_invalid",
    "The code is wrong, has expired or was already used. Ask for a new one.",
  );
}

function usedUp(): AppError {
  return new AppError("gone", "This request for a code has expired. Ask for a new code.");
}

function tooSoon(waitMs: number): AppError {
  const retryAfterSecs = Math.ceil(waitMs / 1_000);
  return new AppError("too_many_requests", `A code was just sent. Wait ${retryAfterSecs} s for another.`, {
    retryAfterSecs,
    details: { limit: "code_resend_cooldown" },
  });
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

/** Only the SHA-256 is stored; including the request's id keeps equal codes from having equal hashes. */
function hashOf(requestId: string, code: string): string {
  return sha256Hex(`${requestId}:${code}`);
}
