const MAX_SAMPLE = 32_767;
const MIN_SAMPLE = -32_768;

/** Mixes two frames of one length, clipped; returns the other frame if one is missing. */
export function mix(a: Int16Array | undefined, b: Int16Array | undefined): Int16Array | undefined {
  if (!a || !b) return a ?? b;
  return a.map((sample, i) => Math.max(MIN_SAMPLE, Math.min(MAX_SAMPLE, sample + (b[i] ?? 0))));
}
