import { createHash } from "node:crypto";

/** Most lanes of a stream. Readers look for entries in all of them, whatever they are configured with. */
export const MAX_LANES = 64;

/** The lane of `stream` that keeps the order of `key`. The first lane has the stream's own name. */
export function laneOf(stream: string, key: string | undefined, lanes: number): string {
  if (key === undefined || lanes <= 1) return stream;
  return laneAt(stream, createHash("sha256").update(key).digest().readUInt32BE() % lanes);
}

/** The first `count` lanes of a stream. */
export function firstLanes(stream: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => laneAt(stream, index));
}

function laneAt(stream: string, index: number): string {
  return index === 0 ? stream : `${stream}:${index}`;
}
