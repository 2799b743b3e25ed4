import { TRACK_MAX_BYTES, TRACK_MAX_MS } from "@parley/shared/contracts/tracks.ts";
import { sizeText } from "./track-labels.ts";
import { encodeWav, isPlainWav, wavBytes } from "./wav-file.ts";

/** The rates of softphones and telephones: a long track is better at telephone quality than not at all. */
const RATES_HZ = [16_000, 8_000] as const;
const MAX_SECS = TRACK_MAX_MS / 1_000;
/** Upper bound for what a browser can hold decoded in memory. */
const MAX_CHOSEN_BYTES = 100 * 1024 * 1024;

export type Prepared = { readonly file: Blob } | { readonly problem: string };

/** Returns a WAV of 16-bit PCM, as the API takes it; converts any other file this browser can play. */
export async function prepareTrack(chosen: Blob): Promise<Prepared> {
  if (chosen.size === 0) return { problem: "The file is empty. Choose another one." };
  if (chosen.size > MAX_CHOSEN_BYTES) return tooLarge(chosen.size);
  const bytes = await chosen.arrayBuffer().catch(() => undefined);
  if (!bytes) return { problem: "The file could not be read. Choose it again." };
  if (!isPlainWav(bytes)) return converted(bytes);
  if (chosen.size <= TRACK_MAX_BYTES) return { file: new Blob([bytes], { type: "audio/wav" }) };
  // Studio quality is wasted on a phone line.
  return converted(bytes);
}

async function converted(bytes: ArrayBuffer): Promise<Prepared> {
  const sound = await decode(bytes);
  if (!sound) return { problem: "This is no sound that your browser can read. Choose a WAV or an MP3 file." };
  if (sound.duration > MAX_SECS)
    return {
      problem: `It plays for ${Math.ceil(sound.duration / 60)} minutes; ${MAX_SECS / 60} are the most. Choose a shorter one.`,
    };
  const rateHz = RATES_HZ.find((rate) => wavBytes(sound.duration, rate) <= TRACK_MAX_BYTES) ?? RATES_HZ[1];
  const drawn = new OfflineAudioContext(1, Math.ceil(sound.duration * rateHz), rateHz);
  const source = new AudioBufferSourceNode(drawn, { buffer: sound });
  source.connect(drawn.destination);
  source.start();
  const mono = await drawn.startRendering();
  return { file: encodeWav(mono.getChannelData(0), rateHz) };
}

/** Returns undefined for data that is not audio. */
async function decode(bytes: ArrayBuffer): Promise<AudioBuffer | undefined> {
  const context = new OfflineAudioContext(1, 1, 48_000);
  const sound = await context.decodeAudioData(bytes).catch(() => undefined);
  return sound && sound.length > 0 ? sound : undefined;
}

function tooLarge(bytes: number): Prepared {
  return {
    problem: `The file has ${sizeText(bytes)}; ${sizeText(MAX_CHOSEN_BYTES)} is the most. Choose a smaller one.`,
  };
}
