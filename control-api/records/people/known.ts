import type { DataSubject } from "@parley/shared/contracts/personal-data.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { KnownPeople, OrgPerson } from "../../modules/module.ts";
import { numberPart } from "../calls/number-part.ts";

/** The rows of one kind; at least one. */
export interface KnownRows {
  readonly name: string;
  readonly rows: readonly object[];
}

/** The requested person; undefined if the request names a session. */
export function personOf(orgId: string, { identifier }: DataSubject): OrgPerson | undefined {
  return identifier === undefined ? undefined : { orgId, identifier: numberPart(identifier) };
}

/** What is kept of a person apart from their sessions. */
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
