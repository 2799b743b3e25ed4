import type { Database } from "../../database/open.ts";

/**
 * The operators: people whose addresses the configuration names (docs/decisions/billing.md#operators-are-configured).
 */
export class Operators {
  readonly #database: Database;
  readonly #emails: readonly string[];

  /** `emails` are lowercase, as in accounts. */
  constructor({ database, emails }: { readonly database: Database; readonly emails: readonly string[] }) {
    this.#database = database;
    this.#emails = emails;
  }

  /** Looked up each time. Ignores unverified addresses, which could be anybody's. */
  async has(userId: string): Promise<boolean> {
    if (this.#emails.length === 0) return false;
    const found = await this.#database.db
      .selectFrom("users")
      .select("id")
      .where("id", "=", userId)
      .where("status", "=", "active")
      .where("verified_at", "is not", null)
      .where("email", "in", this.#emails)
      .executeTakeFirst();
    return found !== undefined;
  }
}
