import { hash, verify } from "@node-rs/argon2";
import { AppError } from "@parley/shared/errors.ts";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

/** Cost of a hash: memory in KiB, and passes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** Argon2id as OWASP recommends: 19 MiB, two passes, one lane; about 15 ms of one core. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
/** Of Node's four threads; files and DNS need the others. */
const AT_ONCE = 2;
/** A queue longer than callers' patience would work for nobody. */
const MAX_WAITING = 1_000;
const RETRY_AFTER_SECS = 5;

export interface PasswordsDeps {
  readonly gauge: { set(value: number): void };
  readonly cost?: PasswordCost | undefined;
}

/** Hashes and compares passwords off the event loop, a few at a time, queuing the others. */
export class Passwords {
  readonly #deps: PasswordsDeps;
  readonly #cost: PasswordCost & { readonly parallelism: 1 };
  readonly #waiting: (() => void)[] = [];
  readonly #nobodys: Promise<string>;
  #running = 0;

  constructor(deps: PasswordsDeps) {
    this.#deps = deps;
    this.#cost = { ...(deps.cost ?? PASSWORD_COST), parallelism: 1 };
    this.#nobodys = hash("nobody has this password", this.#cost);
  }

  /** Returns PHC form. Throws `AppError` unavailable if too many wait. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, this.#cost));
  }

  /** Without a stored hash, returns false after the same work. Throws `AppError` unavailable if too many wait. */
  async matches(stored: string | null | undefined, password: string): Promise<boolean> {
    const against = stored ?? (await this.#nobodys);
    const isSame = await this.#inTurn(() => verify(against, password));
    return isSame && typeof stored === "string";
  }

  /** Whether the hash was made with parameters other than today's. */
  isOutdated(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = this.#cost;
    return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new AppError("unavailable", "Too many people are signing in right now. Try again shortly.", {
          retryAfterSecs: RETRY_AFTER_SECS,
        });
      }
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        this.#deps.gauge.set(this.#waiting.length);
      });
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      this.#deps.gauge.set(this.#waiting.length);
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/** Throws `AppError` validation_failed; the schema checks the length (ASVS 5.0, 6.2). */
export function assertGoodPassword(password: string, identifier: string): void {
  const plain = password.toLowerCase();
  const local = identifier.split("@")[0] ?? "";
  if (COMMON_PASSWORDS.has(plain)) {
    throw new AppError("validation_failed", "password is too easy to guess. Choose another.");
  }
  if (plain === identifier || plain === local) {
    throw new AppError("validation_failed", "password must not be your email address or number.");
  }
}
