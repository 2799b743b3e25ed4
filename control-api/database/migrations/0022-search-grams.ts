import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Every three characters in a row of a text, in lower case, as numbers that are another organization's for the same text: an
 * index over them finds parts of words, in any script, and its lists are as long as the organization's own texts make
 * them. Two texts may share a number, so what is found is compared. No extension, because a role need not be allowed any.
 * An array of characters is stepped through: `substr` counts from the beginning each time.
 */
const GRAMS = sql`create function search_grams(org_id text, content text) returns bigint[]
  language plpgsql immutable parallel safe as $$
    declare
      seed bigint := hashtextextended(org_id, 0);
      chars text[] := string_to_array(lower(content), null);
      grams bigint[] := '{}';
    begin
      for i in 1 .. coalesce(array_length(chars, 1), 0) - 2 loop
        grams[i] := hashtextextended(chars[i] || chars[i + 1] || chars[i + 2], seed);
      end loop;
      return grams;
    end
  $$`;

export const searchGrams: Migration = {
  up: async (db) => {
    await GRAMS.execute(db);
  },
};
