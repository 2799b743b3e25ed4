const MAX_SAMPLE = 32_767;
const MIN_SAMPLE = -32_768;

/** Both at once, clipped; the one there is when the other is missing. Frames of one length. */
export function mix(a: Int16Array | undefined, b: Int16Array | undefined): Int16Array | undefined {
  if (!a || !b) return a ?? b;
  return a.map((sample, i) => Math.max(MIN_SAMPLE, Math.min(MAX_SAMPLE, sample + (b[i] ?? 0))));
}
