import type { Clock } from "@parley/shared/clock.ts";
import type { OrgNotice } from "@parley/shared/contracts/notices.ts";
import { PHONE_CARRIERS } from "@parley/shared/contracts/phone-carriers.ts";
import { rolesWith } from "@parley/shared/contracts/roles.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { sql } from "kysely";
import type { Database } from "../../../database/open.ts";
import type { Trouble } from "../../../modules/module.ts";

interface RefusalDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Whether a carrier takes an account is noted where it shows: when a call is placed. Never throws. */
export class CarrierRefusals {
  readonly #deps: RefusalDeps;

  constructor(deps: RefusalDeps) {
    this.#deps = deps;
  }

  /** The carrier has refused the account's credentials. */
  async refused(connectionId: string): Promise<void> {
    const at = new Date(this.#deps.clock.wallMs());
    await this.#note(connectionId, ({ db }) =>
      db
        .updateTable("carrier_connections")
        .set({ refused_at: sql`coalesce(refused_at, ${at})` })
        .where("id", "=", connectionId)
        .execute(),
    );
  }

  /** The carrier has taken the account. */
  async taken(connectionId: string): Promise<void> {
    await this.#note(connectionId, ({ db }) =>
      db
        .updateTable("carrier_connections")
        .set({ refused_at: null })
        .where("id", "=", connectionId)
        .where("refused_at", "is not", null)
        .execute(),
    );
  }

  async #note(connectionId: string, write: (database: Database) => Promise<unknown>) {
    try {
      await write(this.#deps.database);
    } catch (error) {
      this.#deps.log.warn(
        { event: "carrier_answer_not_noted", connectionId, err: messageOf(error) },
        "failed to note whether a carrier takes an account",
      );
    }
  }
}

const MANAGERS = rolesWith("manage_workplace");

/** Carrier accounts that were refused and have not been changed or taken since. */
export function carrierTroubles({ db }: Database): Trouble {
  return async ({ orgId, role }) => {
    if (!MANAGERS.includes(role)) return [];
    const refused = await db
      .selectFrom("carrier_connections")
      .select(["id", "carrier", "account", "refused_at"])
      .where("org_id", "=", orgId)
      .whereRef("refused_at", ">=", "updated_at")
      .orderBy("id")
      .execute();
    return refused.flatMap(({ id, carrier, account, refused_at }): OrgNotice[] =>
      refused_at === null
        ? []
        : [
            {
              ...{ kind: "carrier_refuses", id, account, since: refused_at.toISOString() },
              carrier: PHONE_CARRIERS[carrier].label,
            },
          ],
    );
  };
}
