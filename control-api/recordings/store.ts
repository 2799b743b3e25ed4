import type { Database } from "@parley/shared/database/open.ts";

/** Where a recording is kept, whosesoever it is: the signature of its link was checked. */
export async function findRecordingById({ db }: Database, id: string) {
  return db.selectFrom("recordings").select(["id", "key"]).where("id", "=", id).executeTakeFirst();
}
