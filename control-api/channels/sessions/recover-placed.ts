import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { callSocketUrl } from "../gateways/call-socket-url.ts";
import { findNode } from "../gateways/choose-node.ts";
import type { SessionDeps } from "./prepare-call.ts";
import { findPlaced } from "./store.ts";

interface Placed {
  readonly sessionId: string;
  readonly callId: string;
  /** Null until the carrier reports the call: whether it was dialed is unknown. */
  readonly callSid: string | null;
  readonly status: string;
  readonly nodeId: string;
  readonly endedAt: Date | null;
  readonly fromNumber: string;
  readonly toNumber: string;
}

/**
 * Recovers a call whose placing broke off: what the carrier has reported since, or that nothing is known. Returns
 * undefined while the placing request may still be running.
 */
export async function recoverPlaced(
  sessionId: string,
  { orgId, mayBeInFlight }: { readonly orgId: string; readonly mayBeInFlight: boolean },
  database: Database,
): Promise<Placed | undefined> {
  const row = await findPlaced(database, orgId, sessionId);
  if (!row) return undefined;
  const { fromNumber, toNumber, ...known } = row;
  if (mayBeInFlight && known.callSid === null && known.endedAt === null) return undefined;
  return { sessionId, ...known, fromNumber: fromNumber ?? "", toNumber: toNumber ?? "" };
}

/**
 * Address of a call's socket with a fresh ticket, since the first expired after a minute. Throws `AppError`
 * session_ended if that gateway is gone.
 */
export async function socketAgain(
  { sessionId, nodeId, endedAt }: Pick<Placed, "sessionId" | "nodeId" | "endedAt">,
  orgId: string,
  { bus, tickets }: SessionDeps,
): Promise<string> {
  if (endedAt !== null) throw isOver("This call has ended", sessionId);
  const node = await findNode(bus.keys, nodeId);
  if (!node) throw isOver("The gateway that this call was placed on is gone", sessionId);
  const ticket = await tickets.sign({ sessionId, orgId, kind: "call" });
  return callSocketUrl({ publicUrl: node.publicUrl, sessionId, ticket });
}

function isOver(why: string, sessionId: string): AppError {
  const message = `${why}; use a new Idempotency-Key for a new call.`;
  return new AppError("session_ended", message, { details: { sessionId } });
}
