import { type TurnFloor, toldFloorSchema } from "@parley/shared/contracts/floor.ts";
import { sql } from "kysely";
import type { Database } from "../../database/open.ts";

/**
 * The floor decisions of a call, turn by turn. Events contain them in pieces: what happened during an answer comes with
 * the next turn, or with the call's end.
 */
export async function listFloor({ db }: Database, sessionId: string): Promise<TurnFloor[]> {
  const rows = await db
    .selectFrom("call_events")
    .select(sql<unknown>`body->'floor'`.as("floor"))
    .where("session_id", "=", sessionId)
    .where("type", "in", ["call.turn_metrics", "call.ended"])
    .where(sql<boolean>`body ? 'floor'`)
    .orderBy("seq")
    .execute();
  return joined(rows.flatMap(({ floor }) => toldFloorSchema.parse(floor) ?? []));
}

/** Merges pieces so that each turn appears once. */
function joined(pieces: readonly TurnFloor[]): TurnFloor[] {
  return [...Map.groupBy(pieces, ({ turn }) => turn)].map(([turn, parts]) => ({
    turn,
    decisions: parts.flatMap(({ decisions }) => decisions),
    dropped: parts.reduce((sum, { dropped }) => sum + dropped, 0),
  }));
}
