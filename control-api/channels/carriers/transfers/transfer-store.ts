import { TRANSFER_MODES } from "@parley/shared/contracts/transfers.ts";
import { z } from "zod";
import type { Database } from "../../../database/open.ts";
import {
  beginTransferRow,
  moveTransferRow,
  setPendingTransfer,
} from "../../../records/call-rows/transfer.ts";
import {
  nextTransferState,
  type TransferEvent,
  type TransferState,
  transferStatesBefore,
} from "./transfer-state.ts";

const pendingSchema = z.object({
  to: z.string(),
  mode: z.enum(TRANSFER_MODES),
  whisper: z.string().optional(),
  /** The second leg of a warm transfer. */
  targetSid: z.string().optional(),
  /** When the transfer expires unless an event arrives; another may then be requested. */
  untilMs: z.number(),
});
export type PendingTransfer = z.infer<typeof pendingSchema>;

export interface StoredTransfer {
  readonly id: string;
  readonly state: TransferState;
  /** Undefined once the transfer is over. */
  readonly pending: PendingTransfer | undefined;
}

/** The call's latest transfer; undefined when it had none. */
export async function readTransfer({ db }: Database, sessionId: string): Promise<StoredTransfer | undefined> {
  const row = await db
    .selectFrom("calls")
    .select(["transfer_id as id", "transfer_state as state", "transfer"])
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
  if (!row?.id) return undefined;
  const pending = row.transfer === null ? undefined : pendingSchema.parse(JSON.parse(row.transfer));
  return { id: row.id, state: row.state as TransferState, pending };
}

/** Returns false if another transfer is under way or this one was begun before, so that nobody is dialed twice. */
export async function beginTransfer(
  database: Database,
  sessionId: string,
  { id, pending, nowMs }: { id: string; pending: PendingTransfer; nowMs: number },
): Promise<boolean> {
  const before = await readTransfer(database, sessionId);
  const isLost = before?.pending !== undefined && before.pending.untilMs < nowMs;
  const state = isLost ? "none" : (before?.state ?? "none");
  if (before?.id === id || nextTransferState(state, "is asked for") === state) return false;
  return beginTransferRow(database, sessionId, {
    from: { id: before?.id ?? null, state: before?.state ?? "none" },
    to: { id, state: nextTransferState(state, "is asked for") },
    pending: JSON.stringify(pending),
  });
}

/** Advances the transfer in exactly one process. Returns false for those that lost the race, and for late events. */
export async function moveTransfer(
  database: Database,
  sessionId: string,
  { id, event, isOver }: { id: string; event: TransferEvent; isOver: boolean },
): Promise<boolean> {
  for (const from of transferStatesBefore(event)) {
    const to = nextTransferState(from, event);
    const moved = await moveTransferRow(database, sessionId, { id, from, to, isOver });
    if (moved) return true;
  }
  return false;
}

/** Stores the second leg. Returns false if the transfer is already over: then the caller must hang the leg up. */
export function setTarget(
  database: Database,
  sessionId: string,
  { id, pending }: { id: string; pending: PendingTransfer },
): Promise<boolean> {
  return setPendingTransfer(database, sessionId, { id, pending: JSON.stringify(pending) });
}
