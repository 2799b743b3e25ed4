/** Up to here a louder voice is louder in proportion; above, it comes ever more slowly near to full scale. */
const KNEE = 24_000;
const FULL_SCALE = 32_767;

/** How many times as large samples become by so many decibels. */
export function gainOf(db: number): number {
  return 10 ** (db / 20);
}

/** `samples` louder or softer by `gain`; what would leave full scale is bent below it rather than clipped. */
export function amplify(samples: Int16Array, gain: number): Int16Array {
  if (gain === 1) return samples;
  return samples.map((sample) => limit(sample * gain));
}

/** A sum of signals within full scale. */
function limit(value: number): number {
  const size = Math.abs(value);
  if (size <= KNEE) return Math.round(value);
  const room = FULL_SCALE - KNEE;
  return Math.round(Math.sign(value) * (KNEE + room * Math.tanh((size - KNEE) / room)));
}
