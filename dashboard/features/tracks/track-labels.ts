import { TRACKS_MAX } from "@parley/shared/contracts/track-limits.ts";
import { clockText } from "../calls/call-labels.ts";

const MIB = 1024 * 1024;
const NAME_CHARS = 128;

/** A track's length as `3:20`; at least one second. */
export function lengthText(durationMs: number): string {
  return clockText(Math.max(1, Math.round(durationMs / 1_000)));
}

/** A file size as people know it. */
export function sizeText(bytes: number): string {
  if (bytes < MIB) return `${Math.max(1, Math.round(bytes / 1024))} kB`;
  return `${(bytes / MIB).toFixed(1).replace(/\.0$/, "")} MB`;
}

export interface Room {
  readonly total: number;
  readonly usedBytes: number;
  readonly maxBytes: number;
}

/** How much of the library is used. */
export function roomText({ total, usedBytes, maxBytes }: Room): string {
  return `${total} of ${TRACKS_MAX} tracks, ${usedBytes === 0 ? "0 MB" : sizeText(usedBytes)} of ${sizeText(maxBytes)}`;
}

/** Why a file cannot be added; undefined when there is room for it. */
export function whyNoRoom({ total, usedBytes, maxBytes }: Room, bytes: number): string | undefined {
  if (total >= TRACKS_MAX) return `There are ${TRACKS_MAX} tracks already. Delete one first.`;
  const leftBytes = Math.max(0, maxBytes - usedBytes);
  if (bytes <= leftBytes) return undefined;
  return `It takes ${sizeText(bytes)}, and there is room for ${leftBytes === 0 ? "nothing" : sizeText(leftBytes)} more. Delete a track first.`;
}

/** A track's default name from its file: `hold-music.mp3` becomes `hold-music`. */
export function nameOf(fileName: string): string {
  return fileName
    .replace(/\.[a-z\d]{1,5}$/i, "")
    .trim()
    .slice(0, NAME_CHARS);
}
