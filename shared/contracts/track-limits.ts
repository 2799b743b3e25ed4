/** Apart from the schemas, which weigh more than the pages that show these. */

/** Limits of one file: ten minutes, and 10 MiB, five minutes of 16 kHz mono. */
export const TRACK_MAX_BYTES = 10 * 1024 * 1024;
export const TRACK_MAX_MS = 600_000;
/** Maximum files of an organization. */
export const TRACKS_MAX = 50;
export const TRACKS_MAX_BYTES = 200 * 1024 * 1024;
