import { PCM_RATE_HZ } from "@parley/media/pcm.ts";

/** A deterministic sequence of numbers from -0.5 to 0.5. */
function chance(): () => number {
  let seed = 7;
  return () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff - 0.5;
  };
}

export const rms = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);

/** Pink noise: sums of random numbers that change at halved rates (Voss and McCartney). */
export function pinkNoise(length: number): Int16Array {
  const next = chance();
  const rows = Array.from({ length: 12 }, next);
  return Int16Array.from({ length }, (_, at) => {
    for (const [row] of rows.entries()) if (at % 2 ** row === 0) rows[row] = next();
    return 2_000 * rows.reduce((sum, x) => sum + x, 0);
  });
}

/** Plucked chords that change twice a second, with a melody above. */
export function music(length: number): Int16Array {
  const chords = [
    [130.8, 164.8, 196, 523.3],
    [174.6, 220, 261.6, 698.5],
    [196, 246.9, 293.7, 784],
    [130.8, 164.8, 196, 659.3],
  ];
  const beat = PCM_RATE_HZ / 2;
  return Int16Array.from({ length }, (_, at) => {
    const chord = chords[Math.floor(at / beat) % chords.length] as number[];
    const seconds = (at % beat) / PCM_RATE_HZ;
    const sound = chord.reduce((sum, hz) => sum + pluck(hz, seconds), 0);
    return (4_000 * sound) / chord.length;
  });
}

function pluck(hz: number, seconds: number): number {
  let sound = 0;
  for (let k = 1; k <= 5; k++) sound += Math.sin(2 * Math.PI * hz * k * seconds) / k;
  return sound * Math.exp(-2 * seconds) * Math.min(1, seconds * 200);
}

/** Mixes `voice` from `fromMs` on over `noise`, at `snrDb` below the voice's RMS. As long as the noise. */
export function overNoise(
  voice: Int16Array,
  noise: Int16Array,
  { snrDb, fromMs }: { snrDb: number; fromMs: number },
): Int16Array {
  const gain = rms(voice) / 10 ** (snrDb / 20) / rms(noise);
  const from = (fromMs * PCM_RATE_HZ) / 1_000;
  return noise.map((sample, at) => Math.round(sample * gain + (voice[at - from] ?? 0)));
}
