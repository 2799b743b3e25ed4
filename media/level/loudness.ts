/** Up to here amplification is linear; above, it approaches full scale ever more slowly. */
const KNEE = 24_000;
const FULL_SCALE = 32_767;

/** The factor for a gain in decibels. */
export function gainOf(db: number): number {
  return 10 ** (db / 20);
}

/** `samples` scaled by `gain`; peaks beyond full scale are compressed rather than clipped. */
export function amplify(samples: Int16Array, gain: number): Int16Array {
  if (gain === 1) return samples;
  return samples.map((sample) => limit(sample * gain));
}

/** Limits a sum of signals to full scale. */
function limit(value: number): number {
  const size = Math.abs(value);
  if (size <= KNEE) return Math.round(value);
  const room = FULL_SCALE - KNEE;
  return Math.round(Math.sign(value) * (KNEE + room * Math.tanh((size - KNEE) / room)));
}
