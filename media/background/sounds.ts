import type { BackgroundSound } from "@parley/shared/contracts/call-plan.ts";
import { PCM_RATE_HZ } from "../pcm.ts";
import { addAir, addCups, addTalker, addTyping } from "./layers.ts";
import { seededRandom } from "./random.ts";

export type MadeSound = Exclude<BackgroundSound, "none">;
type Layer = (loop: Float32Array, random: () => number) => void;

const LOOP_SECS = 24;
/** Level of the stored loop: `Background` plays it 20 dB softer without losing resolution. */
const KEPT_RMS = 32_768 * 10 ** (-26 / 20);
/** A click is at most 11 dB above the room, so that none passes for a person at the phone. */
const MOST_OVER_RMS = 3.5;

const talkers = (count: number, level: number): Layer[] =>
  Array.from({ length: count }, (): Layer => (loop, random) => addTalker(loop, random, level));

const LAYERS: Readonly<Record<MadeSound, readonly Layer[]>> = {
  office: [
    (loop, random) => addAir(loop, random, { cutoffHz: 320, level: 1 }),
    ...talkers(2, 0.25),
    (loop, random) => addTyping(loop, random, 0.3),
    (loop, random) => addTyping(loop, random, 0.2),
  ],
  cafe: [
    (loop, random) => addAir(loop, random, { cutoffHz: 500, level: 0.5 }),
    ...talkers(7, 0.4),
    (loop, random) => addCups(loop, random, 0.25),
  ],
  "call-center": [
    (loop, random) => addAir(loop, random, { cutoffHz: 400, level: 0.6 }),
    ...talkers(9, 0.35),
    (loop, random) => addTyping(loop, random, 0.25),
  ],
};
const SEEDS: Readonly<Record<MadeSound, number>> = { office: 11, cafe: 12, "call-center": 13 };

const made = new Map<MadeSound, Promise<Int16Array>>();

/**
 * Returns a loop of 24 s at 16 kHz and -26 dBFS that sounds like the given place. Made once per process, in 50 to 100
 * ms of steps between which live calls go on. The loop is shared: do not write to it.
 */
export function backgroundLoop(sound: MadeSound): Promise<Int16Array> {
  const known = made.get(sound);
  if (known !== undefined) return known;
  const loop = makeLoop(sound);
  made.set(sound, loop);
  return loop;
}

async function makeLoop(sound: MadeSound): Promise<Int16Array> {
  const loop = new Float32Array(LOOP_SECS * PCM_RATE_HZ);
  const random = seededRandom(SEEDS[sound]);
  for (const add of LAYERS[sound]) {
    add(loop, random);
    await othersGoOn();
  }
  bendPeaks(loop);
  await othersGoOn();
  const gain = KEPT_RMS / rmsOf(loop);
  const kept = new Int16Array(loop.length);
  for (let i = 0; i < loop.length; i++) kept[i] = Math.round((loop[i] as number) * gain);
  return kept;
}

const othersGoOn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function bendPeaks(loop: Float32Array): void {
  const most = MOST_OVER_RMS * rmsOf(loop);
  for (let i = 0; i < loop.length; i++) loop[i] = most * Math.tanh((loop[i] as number) / most);
}

function rmsOf(loop: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < loop.length; i++) sum += (loop[i] as number) ** 2;
  return Math.sqrt(sum / loop.length);
}
