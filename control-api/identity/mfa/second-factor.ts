import { randomBytes } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { Database } from "../../database/open.ts";
import type { Limits } from "../../http/limits/limits.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { wrongCode } from "../otp/one-time-codes.ts";
import { lockUser } from "../sign-ins/session-store.ts";
import { beginTotp, deleteTotp, findTotp, replaceRecoveryCodes, useRecoveryCode, useStep } from "./store.ts";
import { type Enrollment, enroll, stepOf } from "./totp.ts";

const RECOVERY_CODES = 10;
/** Crockford's base32, in which no letter looks like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const RECOVERY_CHARS = 16;

export interface SecondFactorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly limits: Limits;
}

/** What a user presents besides the first factor: an authenticator code or a recovery code. */
export interface Shown {
  readonly totpCode?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** TOTP with recovery codes. An account's wrong codes count together, whichever way they came. */
export class SecondFactor {
  readonly #deps: SecondFactorDeps;

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps;
  }

  /** Begins an enrollment. Throws `AppError` conflict if the second factor is on. */
  async setUp(userId: string, label: string): Promise<Enrollment> {
    const enrollment = await enroll(label);
    const { database, secrets, clock } = this.#deps;
    const secretSealed = secrets.seal(enrollment.secret, SEAL_CONTEXT.totp(userId));
    const at = new Date(clock.wallMs());
    if (!(await beginTotp(database.db, { userId, secretSealed, at }))) {
      throw new AppError(
        "conflict",
        "Two-factor authentication is already on. Turn it off before setting it up again.",
      );
    }
    return enrollment;
  }

  /** Turns the factor on with a first code; returns the recovery codes, shown once. Throws code_invalid, conflict. */
  async confirm(userId: string, code: string): Promise<string[]> {
    const { database, limits, clock } = this.#deps;
    await limits.take("second_factor_per_account", userId);
    const totp = await findTotp(database.db, userId);
    if (!totp || totp.confirmedAt !== null) {
      throw new AppError(
        "conflict",
        "There is no enrollment to confirm; POST /api/auth/mfa/setup starts one.",
      );
    }
    const step = await this.#stepOf(userId, code, totp);
    if (step === undefined) throw wrongCode();
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await database.db.transaction().execute(async (trx) => {
      // A sign-in verified without the factor begins before this point or not at all.
      await lockUser(trx, userId);
      const confirmAt = new Date(clock.wallMs());
      if (!(await useStep(trx, { userId, secretSealed: totp.secretSealed, step, confirmAt })))
        throw wrongCode();
      await replaceRecoveryCodes(trx, userId, recoveryCodes.map(hashOf));
    });
    await limits.clear("second_factor_per_account", userId);
    return recoveryCodes;
  }

  /** Throws `AppError` mfa_required if nothing is presented, code_invalid, too_many_requests. */
  async check(userId: string, { totpCode, recoveryCode }: Shown): Promise<void> {
    const { database, limits, clock } = this.#deps;
    if (totpCode === undefined && recoveryCode === undefined) throw mfaRequired();
    await limits.take("second_factor_per_account", userId);
    const isGood =
      totpCode === undefined
        ? await useRecoveryCode(database.db, {
            userId,
            hash: hashOf(recoveryCode ?? ""),
            at: new Date(clock.wallMs()),
          })
        : await this.#useTotp(userId, totpCode);
    if (!isGood) throw wrongCode();
    await limits.clear("second_factor_per_account", userId);
  }

  async disable(userId: string): Promise<void> {
    await this.#deps.database.db.transaction().execute((trx) => deleteTotp(trx, userId));
  }

  async #useTotp(userId: string, code: string): Promise<boolean> {
    const { db } = this.#deps.database;
    const totp = await findTotp(db, userId);
    if (!totp || totp.confirmedAt === null) return false;
    const step = await this.#stepOf(userId, code, totp);
    return step !== undefined && (await useStep(db, { userId, secretSealed: totp.secretSealed, step }));
  }

  #stepOf(
    userId: string,
    code: string,
    { secretSealed, lastStep }: { secretSealed: string; lastStep: number | null },
  ): Promise<number | undefined> {
    const secret = this.#deps.secrets.open(secretSealed, SEAL_CONTEXT.totp(userId));
    // Apps show a blank in the middle.
    return stepOf(code.replace(/\s/g, ""), { secret, nowMs: this.#deps.clock.wallMs(), afterStep: lastStep });
  }
}

/** `error` is machine-readable here, like `code`. */
export function mfaRequired(details?: Readonly<Record<string, unknown>>): AppError {
  return new AppError("mfa_required", "mfa_required", details ? { details } : {});
}

function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(RECOVERY_CHARS), (byte) => ALPHABET[byte % ALPHABET.length]);
  return (letters.join("").match(/.{4}/g) ?? []).join("-");
}

/** People omit dashes and use capitals. */
function hashOf(recoveryCode: string): string {
  return sha256Hex(recoveryCode.toLowerCase().replace(/[^0-9a-z]/g, ""));
}
