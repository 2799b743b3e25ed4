import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export interface StoredSigningKey {
  readonly kid: string;
  readonly publicJwk: Record<string, string>;
  readonly privateSealed: string;
  readonly createdAt: Date;
  /** When it begins to sign. */
  readonly activeFrom: Date;
}

/** Arbitrary, but must be unique among advisory locks. */
const ROTATION_LOCK = 7_229_001;

/** All published keys, oldest first. */
export async function listSigningKeys(db: Kysely<Tables>): Promise<StoredSigningKey[]> {
  return db
    .selectFrom("signing_keys")
    .select([
      "kid",
      "public_jwk as publicJwk",
      "private_sealed as privateSealed",
      "created_at as createdAt",
      "active_from as activeFrom",
    ])
    .orderBy("active_from")
    .orderBy("kid")
    .execute();
}

/** Serializes key changes across processes: `decide` gets all keys and returns the one to add and those to drop. */
export async function changeSigningKeys(
  { db }: Database,
  decide: (keys: readonly StoredSigningKey[]) => Promise<{
    add: StoredSigningKey | undefined;
    drop: readonly string[];
  }>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${ROTATION_LOCK})`.execute(trx);
    const { add, drop } = await decide(await listSigningKeys(trx));
    if (add) {
      await trx
        .insertInto("signing_keys")
        .values({
          kid: add.kid,
          public_jwk: JSON.stringify(add.publicJwk),
          private_sealed: add.privateSealed,
          created_at: add.createdAt,
          active_from: add.activeFrom,
        })
        .execute();
    }
    if (drop.length > 0) await trx.deleteFrom("signing_keys").where("kid", "in", drop).execute();
  });
}
