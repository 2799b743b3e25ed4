import type { Databases } from "@parley/control-api/database/open.ts";

/** A gateway that died is noticed within 30 s. */
const WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 500;

/** How the records of calls say that they ended. */
export interface RecordedEnds {
  /** Calls of gateways that lived, by end reason. */
  readonly kept: Readonly<Record<string, number>>;
  /** Those of the gateway that was killed. */
  readonly lost: Readonly<Record<string, number>>;
  /** Calls without an end. */
  readonly open: number;
}

/** Waits until every call has its end in the database, and counts them. */
export async function endsOf(
  { lost, kept }: { readonly lost: readonly string[]; readonly kept: readonly string[] },
  { db }: Databases,
): Promise<RecordedEnds> {
  const untilMs = performance.now() + WITHIN_MS;
  for (;;) {
    const rows = await db
      .selectFrom("calls")
      .select(["session_id", "end_reason"])
      .where("session_id", "in", [...lost, ...kept])
      .where("ended_at", "is not", null)
      .execute();
    const open = lost.length + kept.length - rows.length;
    if (open === 0 || performance.now() >= untilMs) {
      const among = (ids: readonly string[]) =>
        countBy(rows.filter(({ session_id: id }) => ids.includes(id)).map((row) => row.end_reason ?? "none"));
      return { kept: among(kept), lost: among(lost), open };
    }
    await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
