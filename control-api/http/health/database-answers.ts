import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../../database/open.ts";

/**
 * Whether the database answers within `withinMs`. One that is stopped refuses nothing: it says nothing, for as long as
 * its connections live, and whoever asks must not wait as long.
 */
export async function databaseAnswers(
  { database, clock }: { database: Pick<Database, "ping">; clock: Clock },
  withinMs: number,
): Promise<boolean> {
  let cancel: () => void = () => undefined;
  const late = new Promise<false>((resolve) => {
    cancel = clock.after(withinMs, () => resolve(false));
  });
  const ping = database.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([ping, late]).finally(cancel);
}
