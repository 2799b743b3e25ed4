import { randomBytes } from "node:crypto";
import { OrgMap } from "@parley/shared/org-map.ts";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../database/tables.ts";
import { SEAL_CONTEXT } from "./contexts.ts";

const KEY_BYTES = 32;
const ID_BYTES = 12;
/** What a text begins with that a data key sealed, as a regular expression of JavaScript and of Postgres. */
const SEALED_BY_ORG = "^v1[.](dk_[0-9a-f]{24})[.]";
const BOUNDS = { perOrg: 10, orgs: 1_000 };

export interface DataKeysDeps {
  /** SECRETS_KEY's: seals the data keys themselves. */
  readonly secrets: SecretBox;
  readonly nowMs: () => number;
}

/** A text as an organization's data key seals it. */
export interface SealedByOrg {
  readonly sealed: string;
  /** Named in the text as well; beside it in the row, to be counted by. */
  readonly dataKeyId: string;
}

/** The data key that sealed a text; undefined: SECRETS_KEY did. */
export function dataKeyIdOf(sealed: string): string | undefined {
  return new RegExp(SEALED_BY_ORG).exec(sealed)?.[1];
}

/** Whether a data key sealed a text. */
export function isSealedByOrg(text: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${text} ~ ${SEALED_BY_ORG}`;
}

/**
 * Envelope encryption: each organization has a data key of its own, stored sealed with SECRETS_KEY. What a text is sealed with
 * besides is the organization and the row it belongs to, so it opens nowhere else.
 */
export class DataKeys {
  readonly #deps: DataKeysDeps;
  readonly #opened = new OrgMap<SecretBox>(BOUNDS);

  constructor(deps: DataKeysDeps) {
    this.#deps = deps;
  }

  /** With the organization's current key, which is made when it has none. `row` names the row and the column. */
  async seal(
    db: Kysely<Tables>,
    { orgId, row }: { readonly orgId: string; readonly row: string },
    text: string,
  ): Promise<SealedByOrg> {
    const current = (await findCurrent(db, orgId)) ?? (await this.#make(db, orgId));
    const box = this.#open(orgId, current);
    return { sealed: box.seal(text, contextOf(orgId, row)), dataKeyId: current.id };
  }

  /** Throws `AppError` internal when the text is another row's or organization's, or its key is gone. */
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
      // The box that SECRETS_KEY has says that the text is sealed with a key it lacks.
      box = key ? this.#open(orgId, key) : this.#deps.secrets;
    }
    return box.open(sealed, contextOf(orgId, row));
  }

  /** Retires the current key: what is sealed from now on gets a new one. What it sealed still opens. */
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

  /** Of several at the same time one is kept, and found by the others. */
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
