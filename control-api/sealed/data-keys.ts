import { randomBytes } from "node:crypto";
import { OrgMap } from "@parley/shared/org-map.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../database/tables.ts";
import { SEAL_CONTEXT } from "./contexts.ts";

const KEY_BYTES = 32;
const ID_BYTES = 12;
/** Prefix of texts sealed by a data key, as a regular expression for both JavaScript and Postgres. */
const SEALED_BY_ORG = "^v1[.](dk_[0-9a-f]{24})[.]";
const BOUNDS = { perOrg: 10, orgs: 1_000 };

export interface DataKeysDeps {
  /** The box of SECRETS_KEY, which seals the data keys themselves. */
  readonly secrets: SecretBox;
  readonly nowMs: () => number;
}

/** A text sealed by an organization's data key. */
export interface SealedByOrg {
  readonly sealed: string;
  /** Also named in the text; a column of its own makes it countable. */
  readonly dataKeyId: string;
}

/** The data key that sealed a text; undefined if it was SECRETS_KEY. */
export function dataKeyIdOf(sealed: string): string | undefined {
  return new RegExp(SEALED_BY_ORG).exec(sealed)?.[1];
}

/** Whether a data key sealed a text. */
export function isSealedByOrg(text: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${text} ~ ${SEALED_BY_ORG}`;
}

/**
 * Envelope encryption: each organization has its own data key, stored sealed with SECRETS_KEY. Texts are also bound to
 * their organization and row, so they open nowhere else.
 */
export class DataKeys {
  readonly #deps: DataKeysDeps;
  readonly #opened = new OrgMap<SecretBox>(BOUNDS);

  constructor(deps: DataKeysDeps) {
    this.#deps = deps;
  }

  /** Seals with the organization's current key, creating one if needed. `row` names the row and the column. */
  async seal(
    db: Kysely<Tables>,
    { orgId, row }: { readonly orgId: string; readonly row: string },
    text: string,
  ): Promise<SealedByOrg> {
    const current = (await findCurrent(db, orgId)) ?? (await this.#make(db, orgId));
    const box = this.#open(orgId, current);
    return { sealed: box.seal(text, contextOf(orgId, row)), dataKeyId: current.id };
  }

  /** Throws `AppError` internal if the text belongs to another row or organization, or its key is gone. */
  async open(
    db: Kysely<Tables>,
    { orgId, row }: { readonly orgId: string; readonly row: string },
    { sealed, dataKeyId }: SealedByOrg,
  ): Promise<string> {
    let box = this.#opened.get(orgId, dataKeyId);
    if (!box) {
      const key = await db
        .selectFrom("org_data_keys")
        .select(["id", "key_sealed"])
        .where("org_id", "=", orgId)
        .where("id", "=", dataKeyId)
        .executeTakeFirst();
      // For an unknown key, the box of SECRETS_KEY reports the missing key.
      box = key ? this.#open(orgId, key) : this.#deps.secrets;
    }
    return box.open(sealed, contextOf(orgId, row));
  }

  /** Retires the current key: new texts get a new key, and texts it sealed still open. */
  async retire(db: Kysely<Tables>, orgId: string): Promise<void> {
    const retired_at = new Date(this.#deps.nowMs());
    await db
      .updateTable("org_data_keys")
      .set({ retired_at })
      .where("org_id", "=", orgId)
      .where("retired_at", "is", null)
      .execute();
  }

  #open(orgId: string, { id, key_sealed }: { id: string; key_sealed: string }): SecretBox {
    const known = this.#opened.get(orgId, id);
    if (known) return known;
    const key = this.#deps.secrets.open(key_sealed, SEAL_CONTEXT.dataKey(orgId, id));
    const box = new SecretBox(`${id}:${key}`);
    this.#opened.set(orgId, id, box);
    return box;
  }

  /** If several are created concurrently, one is kept, and the others find it. */
  async #make(db: Kysely<Tables>, orgId: string): Promise<{ id: string; key_sealed: string }> {
    const id = `dk_${randomBytes(ID_BYTES).toString("hex")}`;
    const key = randomBytes(KEY_BYTES).toString("base64");
    await db
      .insertInto("org_data_keys")
      .values({
        org_id: orgId,
        id,
        key_sealed: this.#deps.secrets.seal(key, SEAL_CONTEXT.dataKey(orgId, id)),
        created_at: new Date(this.#deps.nowMs()),
      })
      .onConflict((conflict) => conflict.column("org_id").where("retired_at", "is", null).doNothing())
      .execute();
    return findCurrentOrThrow(db, orgId);
  }
}

function findCurrent(db: Kysely<Tables>, orgId: string) {
  return currentOf(db, orgId).executeTakeFirst();
}

function findCurrentOrThrow(db: Kysely<Tables>, orgId: string) {
  return currentOf(db, orgId).executeTakeFirstOrThrow();
}

function currentOf(db: Kysely<Tables>, orgId: string) {
  return db
    .selectFrom("org_data_keys")
    .select(["id", "key_sealed"])
    .where("org_id", "=", orgId)
    .where("retired_at", "is", null);
}

function contextOf(orgId: string, row: string): string {
  return `${orgId}:${row}`;
}
