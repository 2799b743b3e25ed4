import type { ForgetPeople, KnownPeople, OrgPerson } from "../../modules/module.ts";
import { forgetPeople } from "../call-rows/content.ts";
import { assertNoLegalHold } from "../recordings/content-store.ts";
import { deleteFiles, type EraseDeps } from "../recordings/erase.ts";
import type { SubjectSession } from "./subject.ts";

/** Sessions per transaction: few enough that nobody waits long for its rows. */
const TOGETHER = 100;

export interface ErasePersonDeps extends EraseDeps {
  /** Of all districts. */
  readonly forgetPeople: ForgetPeople;
}

/**
 * Permanently deletes what was said in finished sessions, and who was in them. That they took place, when, how long and
 * their cost stays. Throws `AppError` conflict under legal hold. Returns how many were erased.
 */
export async function erasePerson(
  { orgId, sessions }: { readonly orgId: string; readonly sessions: readonly SubjectSession[] },
  deps: ErasePersonDeps,
): Promise<number> {
  const over = sessions.filter(({ isOpen }) => !isOpen).map(({ sessionId }) => sessionId);
  for (let from = 0; from < over.length; from += TOGETHER) {
    const sessionIds = over.slice(from, from + TOGETHER);
    const at = new Date(deps.clock.wallMs());
    await deps.database.db.transaction().execute(async (trx) => {
      await assertNoLegalHold(trx, orgId);
      // Locks in the same order as the event projector.
      await trx
        .selectFrom("calls")
        .select("id")
        .where("session_id", "in", sessionIds)
        .orderBy("session_id")
        .forUpdate()
        .execute();
      await deps.eraseContent(trx, { sessionIds, at });
      await deps.forgetPeople(trx, { orgId, sessionIds });
      await forgetPeople(trx, sessionIds);
    });
  }
  await deleteFiles(deps);
  return over.length;
}

/** Deletes all data about a person besides their sessions, or nothing. Throws `AppError` conflict under legal hold. */
export function forgetKnown(
  person: OrgPerson,
  { database, known }: { readonly known: readonly KnownPeople[] } & Pick<EraseDeps, "database">,
): Promise<{ gone: number; inUse: number }> {
  return database.db.transaction().execute(async (trx) => {
    await assertNoLegalHold(trx, person.orgId);
    for (const kind of known) await kind.lock?.(trx, person);
    const sum = { gone: 0, inUse: 0 };
    for (const kind of known) {
      const { gone, inUse } = await kind.forget(trx, person);
      sum.gone += gone;
      sum.inUse += inUse;
    }
    return sum;
  });
}
