import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "../../database/open.ts";

/**
 * Whether the database answers within `withinMs`. A frozen database refuses nothing and stays silent for as long as its
 * connections live; callers must not wait that long.
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
