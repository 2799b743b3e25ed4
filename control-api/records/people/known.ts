import type { DataSubject } from "@parley/shared/contracts/personal-data.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { KnownPeople, OrgPerson } from "../../modules/module.ts";
import { numberPart } from "../calls/number-part.ts";

/** What there is of one kind; at least one row. */
export interface KnownRows {
  readonly name: string;
  readonly rows: readonly object[];
}

/** The person that is asked for; undefined when it is one session. */
export function personOf(orgId: string, { identifier }: DataSubject): OrgPerson | undefined {
  return identifier === undefined ? undefined : { orgId, identifier: numberPart(identifier) };
}

/** What is kept of a person beside their sessions. */
export async function readKnown(
  db: Kysely<Tables>,
  person: OrgPerson | undefined,
  kinds: readonly KnownPeople[],
): Promise<KnownRows[]> {
  if (!person) return [];
  const found: KnownRows[] = [];
  for (const { name, read } of kinds) {
    const rows = await read(db, person);
    if (rows.length > 0) found.push({ name, rows });
  }
  return found;
}
