import { PCM_RATE_HZ } from "@parley/media/pcm.ts";

/** Non-vocal sounds of a room. Each fills `seconds` at 16 kHz at an arbitrary level, which `atLevel` sets. */
type Sound = (seconds: number, random: () => number) => Float32Array;

/** -3 dB per octave: rain, an open window (Paul Kellet's filter). */
export const pinkNoise: Sound = (seconds, random) => {
  const poles = [0.99765, 0.963, 0.57];
  const gains = [0.099046, 0.2965164, 1.0526913];
  const state = [0, 0, 0];
  return filled(seconds, () => {
    const white = random() * 2 - 1;
    for (let i = 0; i < state.length; i++)
      state[i] = (poles[i] ?? 0) * (state[i] ?? 0) + white * (gains[i] ?? 0);
    return (state[0] ?? 0) + (state[1] ?? 0) + (state[2] ?? 0) + white * 0.1848;
  });
};

/** -6 dB per octave: a car, an air conditioner. */
export const brownNoise: Sound = (seconds, random) => {
  let level = 0;
  return filled(seconds, () => {
    level = level * 0.995 + (random() * 2 - 1);
    return level;
  });
};

const CHORDS_HZ = [
  [220, 261.6, 329.6],
  [174.6, 220, 261.6],
  [196, 246.9, 293.7],
  [164.8, 207.7, 246.9],
];
const BEAT_S = 0.43;
const HARMONICS = 5;

/** Chords on each beat, with a hi-hat between. */
export const music: Sound = (seconds, random) =>
  filled(seconds, (t) => {
    const beat = Math.floor(t / BEAT_S);
    const since = t - beat * BEAT_S;
    const chord = CHORDS_HZ[Math.floor(beat / 4) % CHORDS_HZ.length] ?? [];
    let sample = 0;
    for (const hz of chord) {
      for (let n = 1; n <= HARMONICS; n++) sample += Math.sin(2 * Math.PI * hz * n * t) / n;
    }
    const hat = (random() * 2 - 1) * Math.exp(-((since + BEAT_S / 2) % BEAT_S) * 40);
    return sample * Math.exp(-since * 4) + hat;
  });

const THUD_EVERY_S = 2;

/** A door every two seconds: a low thud and its rattle. */
export const doorThuds: Sound = (seconds, random) => {
  let rattle = 0;
  return filled(seconds, (t) => {
    const since = t % THUD_EVERY_S;
    rattle = rattle * 0.8 + (random() * 2 - 1) * 0.5;
    return Math.sin(2 * Math.PI * 75 * since) * Math.exp(-since * 14) + rattle * Math.exp(-since * 18) * 0.6;
  });
};

/** Typing: clicks of 8 ms, in runs of some seconds. */
export const keyboard: Sound = (seconds, random) => {
  let nextAtS = 0.2;
  let clickAtS = -1;
  return filled(seconds, (t) => {
    if (t >= nextAtS) {
      clickAtS = t;
      nextAtS = t + (random() < 0.06 ? 1.2 : 0.09 + random() * 0.16);
    }
    const since = t - clickAtS;
    return (random() * 2 - 1 + Math.sin(2 * Math.PI * 2_100 * since)) * Math.exp(-since * 500);
  });
};

/** Two coughs of 180 ms. */
export const cough: Sound = (_seconds, random) => {
  let body = 0;
  return filled(0.5, (t) => {
    const since = t % 0.25;
    body = body * 0.7 + (random() * 2 - 1);
    return since < 0.18 ? body * Math.min(1, since * 60) * Math.exp(-since * 12) : 0;
  });
};

/** A breath in, the burst of a sneeze, and the voice behind it. Synthetic: Debian has no recording of one. */
export const sneeze: Sound = (_seconds, random) => {
  let breath = 0;
  return filled(0.75, (t) => {
    breath = breath * 0.5 + (random() * 2 - 1) * 0.5;
    if (t < 0.25) return breath * 0.15 * (t / 0.25);
    const since = t - 0.25;
    const burst = (random() * 2 - 1) * Math.min(1, since * 200) * Math.exp(-since * 16);
    return burst + buzz(240 - 120 * since, since) * 0.5 * Math.exp(-since * 9);
  });
};

const HAS = 5;
const HA_S = 0.19;

/** Five "ha", each a little lower and softer. Synthetic, too. */
export const laugh: Sound = (_seconds, random) => {
  let breath = 0;
  return filled(HAS * HA_S, (t) => {
    breath = breath * 0.6 + (random() * 2 - 1) * 0.4;
    const ha = Math.floor(t / HA_S);
    const since = t - ha * HA_S;
    const isVoiced = since >= 0.05 && since < 0.14;
    const voice = isVoiced ? buzz(230 - ha * 12, t) * Math.sin((Math.PI * (since - 0.05)) / 0.09) : 0;
    return (voice + breath * (since < 0.06 ? 0.4 : 0.05)) * 0.9 ** ha;
  });
};

/** Vocal cords behind an open mouth. */
function buzz(hz: number, t: number): number {
  let sample = 0;
  for (let n = 1; n <= 12; n++)
    sample += Math.sin(2 * Math.PI * hz * n * t) / n ** (n * hz < 900 ? 0.5 : 1.5);
  return sample / 3;
}

function filled(seconds: number, sampleAt: (t: number) => number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * PCM_RATE_HZ) }, (_, i) =>
    sampleAt(i / PCM_RATE_HZ),
  );
}
