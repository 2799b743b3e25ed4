import { type RawBuilder, sql } from "kysely";
import type { SealedColumn } from "./columns.ts";
import { isSealedByOrg } from "./data-keys.ts";

/** Prefix of sealed texts (`shared/security/secret-box.ts`); the key's id follows, up to the next dot. */
const SEALED = "v1.%";

/** The id of the key that sealed a text. */
export function keyIdOf(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`split_part(${text}, '.', 2)`;
}

/** A table of all sealed texts of a column: the columns of its key, `name` (of a text in a map) and `sealed`. */
export function sealedTexts({ table, column, key, isMap, isPartlyByOrg }: SealedColumn): RawBuilder<unknown> {
  const ids = sql.join(key.map((part) => sql.ref(`t.${part}`)));
  const from = sql.table(table);
  if (isMap) {
    return sql`(select ${ids}, e.key as name, e.value as sealed
      from ${from} as t cross join lateral jsonb_each_text(${sql.ref(`t.${column}`)}) as e
      where e.value like ${SEALED})`;
  }
  const text = sql.ref(`t.${column}`);
  // A column may also contain unsealed texts: answers of other routes beside those of chats.
  const isOurs = isPartlyByOrg ? sql`and not ${isSealedByOrg(text)}` : sql``;
  return sql`(select ${ids}, '' as name, ${text} as sealed from ${from} as t
    where ${text} like ${SEALED} ${isOurs})`;
}
