import type { Database } from "../../database/open.ts";

/** The transfer in a call's row and its state; the transfer code defines the states. */
interface TransferRow {
  readonly id: string | null;
  readonly state: string;
}

/** False if the row is no longer at `from`, or the call has ended. `pending`: JSON, kept until the transfer is over. */
export async function beginTransferRow(
  { db }: Database,
  sessionId: string,
  { from, to, pending }: { from: TransferRow; to: TransferRow; pending: string },
): Promise<boolean> {
  const begun = await db
    .updateTable("calls")
    .set({ transfer_id: to.id, transfer_state: to.state, transfer: pending })
    .where("session_id", "=", sessionId)
    .where("transfer_id", "is not distinct from", from.id)
    .where("transfer_state", "=", from.state)
    .where("ended_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return begun !== undefined;
}

/** Returns false if this transfer is not in state `from`. Clears the pending data if `isOver`. */
export async function moveTransferRow(
  { db }: Database,
  sessionId: string,
  { id, from, to, isOver }: { id: string; from: string; to: string; isOver: boolean },
): Promise<boolean> {
  const moved = await db
    .updateTable("calls")
    .set({ transfer_state: to, ...(isOver ? { transfer: null } : {}) })
    .where("session_id", "=", sessionId)
    .where("transfer_id", "=", id)
    .where("transfer_state", "=", from)
    .returning("id")
    .executeTakeFirst();
  return moved !== undefined;
}

/** Replaces the pending data; returns false if the transfer is over. */
export async function setPendingTransfer(
  { db }: Database,
  sessionId: string,
  { id, pending }: { id: string; pending: string },
): Promise<boolean> {
  const set = await db
    .updateTable("calls")
    .set({ transfer: pending })
    .where("session_id", "=", sessionId)
    .where("transfer_id", "=", id)
    .where("transfer", "is not", null)
    .returning("id")
    .executeTakeFirst();
  return set !== undefined;
}
