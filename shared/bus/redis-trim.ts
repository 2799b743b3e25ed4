import { messageOf } from "../errors.ts";
import type { RedisClient } from "./redis-connections.ts";

export interface GroupState {
  readonly name: string;
  /** Entries handed out and not acknowledged. */
  readonly pending: number;
  readonly lastDeliveredId: string;
  /** Entries not handed out yet; undefined when Redis cannot tell. */
  readonly lag: number | undefined;
}

/** The consumer groups of a stream; empty when the stream does not exist. */
export async function readGroups(client: RedisClient, key: string): Promise<GroupState[]> {
  try {
    const groups = (await client.xinfo("GROUPS", key)) as unknown[][];
    return groups.map(toGroup);
  } catch (error) {
    if (messageOf(error).includes("no such key")) return [];
    throw error;
  }
}

/**
 * Trims the entries at the stream's front that every group has acknowledged. An entry that some group has not read,
 * or not acknowledged, stays, and so do all entries after it.
 */
export async function trimAcknowledged(client: RedisClient, key: string): Promise<void> {
  const bounds: bigint[] = [];
  for (const group of await readGroups(client, key)) {
    const [, oldestPendingId] = (await client.xpending(key, group.name)) as [number, string | null];
    bounds.push(oldestPendingId === null ? toOrder(group.lastDeliveredId) + 1n : toOrder(oldestPendingId));
  }
  const [keepFrom] = bounds.sort((a, b) => Number(a > b) - Number(a < b));
  if (keepFrom !== undefined) await client.xtrim(key, "MINID", toId(keepFrom));
}

function toGroup(flat: unknown[]): GroupState {
  const fields = new Map<unknown, unknown>();
  for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i], flat[i + 1]);
  const lag = fields.get("lag");
  return {
    name: String(fields.get("name")),
    pending: Number(fields.get("pending")),
    lastDeliveredId: String(fields.get("last-delivered-id")),
    lag: typeof lag === "number" ? lag : undefined,
  };
}

const SEQUENCE_BITS = 64n;

/** Converts an entry id (`ms-sequence`) to a number that sorts in stream order. */
function toOrder(entryId: string): bigint {
  const [ms = "0", sequence = "0"] = entryId.split("-");
  return (BigInt(ms) << SEQUENCE_BITS) + BigInt(sequence);
}

function toId(order: bigint): string {
  return `${order >> SEQUENCE_BITS}-${order & ((1n << SEQUENCE_BITS) - 1n)}`;
}
