import { decodeAlaw, encodeAlaw } from "@parley/media/codecs/alaw.ts";
import { decodeMulaw, encodeMulaw } from "@parley/media/codecs/mulaw.ts";
import { createOpusDecoder, createOpusEncoder } from "@parley/media/codecs/opus.ts";
import { FRAME_MS, FRAME_SAMPLES, PCM_RATE_HZ } from "@parley/media/pcm.ts";
import { createResampler } from "@parley/media/resample/resampler.ts";
import { copyOf } from "./copy.ts";
import type { Unit, Way } from "./unit.ts";

const TELEPHONE_SAMPLES = 160;
const BYTES_A_SAMPLE = 2;

type Frames = readonly Int16Array[];

/** Everything that converts a frame of 20 ms. */
export async function codecUnits(frames: Frames): Promise<Unit[]> {
  return [
    ...g711Units("µ-law", { encode: encodeMulaw, decode: decodeMulaw }, frames),
    ...g711Units("A-law", { encode: encodeAlaw, decode: decodeAlaw }, frames),
    ...(await opusUnits(frames)),
    ...(await Promise.all([8_000, 24_000, 48_000].map(resamplerUnit))),
  ];
}

interface G711 {
  encode(pcm: Int16Array, out: Uint8Array): void;
  decode(bytes: Uint8Array, out: Int16Array): void;
}

function g711Units(name: string, codec: G711, frames: Frames): Unit[] {
  const id = name === "µ-law" ? "mulaw" : "alaw";
  const pcm = frames.map((frame) => frame.slice(0, TELEPHONE_SAMPLES));
  const coded = pcm.map((frame) => {
    const bytes = new Uint8Array(TELEPHONE_SAMPLES);
    codec.encode(frame, bytes);
    return bytes;
  });
  const bytes = new Uint8Array(TELEPHONE_SAMPLES);
  const samples = new Int16Array(TELEPHONE_SAMPLES);
  return [
    {
      id: `${id}-encode`,
      title: `${name} encode, a frame at 8 kHz`,
      ours: (i) => {
        codec.encode(pcm[i % pcm.length] as Int16Array, bytes);
        return bytes[i % TELEPHONE_SAMPLES] as number;
      },
      limit: copyOf(TELEPHONE_SAMPLES * BYTES_A_SAMPLE),
    },
    {
      id: `${id}-decode`,
      title: `${name} decode, a frame at 8 kHz`,
      ours: (i) => {
        codec.decode(coded[i % coded.length] as Uint8Array, samples);
        return samples[i % TELEPHONE_SAMPLES] as number;
      },
      limit: copyOf(TELEPHONE_SAMPLES * BYTES_A_SAMPLE),
    },
  ];
}

/** Compared with a copy for lack of a rival: the library is the codec most people would use. */
async function opusUnits(frames: Frames): Promise<Unit[]> {
  const encoder = await createOpusEncoder();
  const decoder = await createOpusDecoder();
  const packets = frames.map((frame) => encoder.encode(frame));
  return [
    {
      id: "opus-encode",
      title: "Opus encode, a frame at 16 kHz",
      ours: (i) => encoder.encode(frames[i % frames.length] as Int16Array).length,
      limit: copyOf(FRAME_SAMPLES * BYTES_A_SAMPLE),
    },
    {
      id: "opus-decode",
      title: "Opus decode, a frame at 16 kHz",
      ours: (i) => decoder.decode(packets[i % packets.length] as Uint8Array)[0] as number,
      limit: copyOf(FRAME_SAMPLES * BYTES_A_SAMPLE),
    },
  ];
}

async function resamplerUnit(fromHz: number): Promise<Unit> {
  const resampler = await createResampler(fromHz, PCM_RATE_HZ);
  const input = new Int16Array((fromHz * FRAME_MS) / 1_000).map((_, i) => 8_000 * Math.sin(i / 5));
  return {
    id: `resample-${fromHz / 1_000}-16`,
    title: `resample ${fromHz / 1_000} → 16 kHz, a frame`,
    ours: (i) => {
      input[0] = i;
      return resampler.process(input)[1] as number;
    },
    limit: copyOf(FRAME_SAMPLES * BYTES_A_SAMPLE),
    peer: linear(input, fromHz),
  };
}

/** What one writes without a library: linear interpolation, with aliasing. */
function linear(input: Int16Array, fromHz: number): Way {
  const step = fromHz / PCM_RATE_HZ;
  return {
    name: "linear interpolation, fresh array",
    run: (i) => {
      input[0] = i;
      const out = new Int16Array(FRAME_SAMPLES);
      for (let at = 0; at < FRAME_SAMPLES; at++) {
        const position = at * step;
        const left = Math.floor(position);
        const from = input[left] as number;
        const to = input[left + 1] ?? from;
        out[at] = from + (to - from) * (position - left);
      }
      return out[1] as number;
    },
  };
}
