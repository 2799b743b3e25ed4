import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { sql } from "kysely";
import type { Database } from "../database/open.ts";
import { SEALED_COLUMNS, type SealedColumn } from "./columns.ts";
import { keyIdOf, sealedTexts } from "./sealed-texts.ts";

/** Texts per query. */
const BATCH = 500;

/** The result for the secrets of one kind. */
export interface Resealed {
  readonly kind: string;
  /** Now sealed with the first key. */
  readonly resealed: number;
  /** Secrets whose key SECRETS_KEY lacks; left as they are. */
  readonly unopenable: number;
}

interface SealedText {
  readonly key: readonly string[];
  readonly name: string;
  readonly sealed: string;
}

/**
 * Reseals every stored secret that is not sealed with the first key of SECRETS_KEY. Safe beside live traffic: a secret
 * changed meanwhile is left alone, since the change sealed it. May be interrupted and run again.
 */
export async function reseal(
  deps: { readonly database: Database; readonly secrets: SecretBox },
  columns: readonly SealedColumn[] = SEALED_COLUMNS,
): Promise<Resealed[]> {
  const done: Resealed[] = [];
  for (const column of columns) done.push(await resealColumn(column, deps));
  return done;
}

async function resealColumn(
  column: SealedColumn,
  { database, secrets }: { readonly database: Database; readonly secrets: SecretBox },
): Promise<Resealed> {
  let [resealed, unopenable] = [0, 0];
  let after: SealedText | undefined;
  for (;;) {
    const batch = await nextTexts(column, after, { database, sealingKeyId: secrets.sealingKeyId });
    for (const text of batch) {
      const secret = tryOpen(secrets, text.sealed, column.context(text.key, text.name));
      if (secret === undefined) unopenable += 1;
      else {
        const sealed = secrets.seal(secret, column.context(text.key, text.name));
        resealed += (await replaceText(column, { ...text, by: sealed }, database)) ? 1 : 0;
      }
    }
    after = batch.at(-1);
    if (batch.length < BATCH) return { kind: column.kind, resealed, unopenable };
  }
}

/** In key order, so that unopenable texts are passed only once. */
async function nextTexts(
  column: SealedColumn,
  after: SealedText | undefined,
  { database, sealingKeyId }: { database: Database; sealingKeyId: string },
): Promise<SealedText[]> {
  const order = sql.join([...column.key, "name"].map((part) => sql.ref(`s.${part}`)));
  const isNext =
    after === undefined ? sql`true` : sql`(${order}) > (${sql.join([...after.key, after.name])})`;
  const { rows } = await sql<Record<string, string>>`
    select ${order}, s.sealed from ${sealedTexts(column)} as s
    where ${keyIdOf(sql.ref("s.sealed"))} <> ${sealingKeyId} and ${isNext}
    order by ${order} limit ${BATCH}`.execute(database.db);
  return rows.map((row) => ({
    key: column.key.map((part) => row[part] ?? ""),
    name: row.name ?? "",
    sealed: row.sealed ?? "",
  }));
}

/** Returns false if the secret was changed or deleted since it was read. */
async function replaceText(
  { table, column, key, isMap }: SealedColumn,
  { key: values, name, sealed, by }: SealedText & { readonly by: string },
  { db }: Database,
): Promise<boolean> {
  const ref = sql.ref(column);
  const isRow = sql.join(
    key.map((part, index) => sql`${sql.ref(part)} = ${values[index]}`),
    sql` and `,
  );
  const set = isMap ? sql`jsonb_set(${ref}, array[${name}::text], to_jsonb(${by}::text))` : sql`${by}`;
  const current = isMap ? sql`${ref} ->> ${name}` : ref;
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${ref} = ${set} where ${isRow} and ${current} = ${sealed}`.execute(db);
  return numAffectedRows === 1n;
}

function tryOpen(secrets: SecretBox, sealed: string, context: string): string | undefined {
  try {
    return secrets.open(sealed, context);
  } catch {
    return undefined;
  }
}
