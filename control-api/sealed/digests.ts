import { createHmac, randomBytes } from "node:crypto";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { SEAL_CONTEXT } from "./contexts.ts";

const KEY_BYTES = 32;
/** Begins each digest; no number or user id of a provider begins so. */
export const DIGEST_MARK = "digest:";

export interface Digested {
  readonly orgId: string;
  readonly texts: readonly string[];
}

/**
 * Digests by which an organization recognizes texts that it must not keep, such as numbers of people who were erased.
 * Numbers can be guessed, so the key is sealed with SECRETS_KEY: the database alone is not enough to try them all. It is
 * made when it is first needed. Throws `AppError` internal if SECRETS_KEY lacks the key it was sealed with.
 */
export async function digestsOf(
  db: Kysely<Tables>,
  { orgId, texts }: Digested,
  secrets: SecretBox,
): Promise<ReadonlyMap<string, string>> {
  const key = randomBytes(KEY_BYTES).toString("base64");
  await db
    .insertInto("org_digest_keys")
    .values({ org_id: orgId, key_sealed: secrets.seal(key, SEAL_CONTEXT.digestKey(orgId)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await findKey(db, orgId);
  if (!kept) throw new Error("a key that was made is not there");
  return digestsBy(kept, { orgId, texts }, secrets);
}

/** As `digestsOf`; empty if the organization never kept a digest, or the key to it is gone from SECRETS_KEY. */
export async function knownDigestsOf(
  db: Kysely<Tables>,
  { orgId, texts }: Digested,
  secrets: SecretBox,
): Promise<ReadonlyMap<string, string>> {
  const kept = await findKey(db, orgId);
  const [, keyId = ""] = kept?.key_sealed.split(".") ?? [];
  if (!kept || !secrets.keyIds.includes(keyId)) return new Map();
  return digestsBy(kept, { orgId, texts }, secrets);
}

function findKey(db: Kysely<Tables>, orgId: string) {
  return db.selectFrom("org_digest_keys").select("key_sealed").where("org_id", "=", orgId).executeTakeFirst();
}

function digestsBy(
  { key_sealed }: { readonly key_sealed: string },
  { orgId, texts }: Digested,
  secrets: SecretBox,
): ReadonlyMap<string, string> {
  const key = Buffer.from(secrets.open(key_sealed, SEAL_CONTEXT.digestKey(orgId)), "base64");
  return new Map(texts.map((text) => [text, digestOf(key, text)]));
}

function digestOf(key: Buffer, text: string): string {
  return DIGEST_MARK + createHmac("sha256", key).update(text).digest("base64url");
}
