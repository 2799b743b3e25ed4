import { AppError, messageOf } from "@parley/shared/errors.ts";
import { Application, createDecoder, createEncoder, Signal } from "libopus-wasm";
import { FRAME_MS } from "../pcm.ts";

/** Rates libopus works at. A packet does not carry one: any of them decodes every packet. */
export type OpusRateHz = 8000 | 16_000 | 24_000 | 48_000;

/** Longest packet Opus allows (RFC 6716, 3.1). */
export const MAX_OPUS_PACKET_MS = 120;

/** Loss the encoder prepares for with in-band FEC; mobile networks lose a few percent. */
const EXPECTED_LOSS_PERCENT = 5;
const BITRATE = 24_000;
/** Libopus' 0 to 10; 5 costs half of 10 and nobody hears the difference in speech. */
const COMPLEXITY = 5;

export interface OpusEncoder {
  /** Samples of one 20 ms frame at the encoder's rate. */
  readonly frameSamples: number;
  /** One packet for one frame of exactly `frameSamples`. The packet is the caller's to keep. */
  encode(frame: Int16Array): Uint8Array;
  free(): void;
}

export interface OpusDecoder {
  /** Samples of a packet of 2.5 to 120 ms. Throws `AppError` validation_failed for what is no packet. */
  decode(packet: Uint8Array): Int16Array;
  /** Rebuilds the 20 ms packet lost just before `next` from the FEC data in `next`. */
  recover(next: Uint8Array): Int16Array;
  /** Makes up `durationMs` of sound for a lost packet when the next one is not there either. */
  conceal(durationMs: number): Int16Array;
  free(): void;
}

/** A mono voice encoder: 20 ms packets with in-band FEC. */
export async function createOpusEncoder(rateHz: OpusRateHz): Promise<OpusEncoder> {
  const frameSamples = (rateHz / 1000) * FRAME_MS;
  const encoder = await createEncoder({
    sampleRate: rateHz,
    channels: 1,
    application: Application.Voip,
    signal: Signal.Voice,
    frameSize: frameSamples,
    bitrate: BITRATE,
    complexity: COMPLEXITY,
    fec: true,
    packetLossPercent: EXPECTED_LOSS_PERCENT,
  });
  return { frameSamples, encode: (frame) => encoder.encode(frame), free: () => encoder.free() };
}

/** A mono decoder; stereo packets are mixed down. */
export async function createOpusDecoder(rateHz: OpusRateHz): Promise<OpusDecoder> {
  const decoder = await createDecoder({ sampleRate: rateHz, channels: 1 });
  const samplesIn = (durationMs: number) => (rateHz / 1000) * durationMs;
  return {
    decode: (packet) => orInvalid(packet, () => decoder.decode(packet)),
    recover: (next) =>
      orInvalid(next, () => decoder.decode(next, { decodeFec: true, frameSize: samplesIn(FRAME_MS) })),
    conceal: (durationMs) => decoder.decodePacketLoss(samplesIn(durationMs)),
    free: () => decoder.free(),
  };
}

/** Ms of one frame by the upper five bits of the TOC byte (RFC 6716, table 2): SILK, hybrid, CELT. */
const FRAME_MS_BY_CONFIG = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
];

/** How long `packet` lasts by its first two bytes (RFC 6716, 3.1); 0 for what cannot be a packet. */
export function opusDurationMs(packet: Uint8Array): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const durationMs = (FRAME_MS_BY_CONFIG[toc >> 3] ?? 0) * frameCount(toc, packet[1]);
  return durationMs > MAX_OPUS_PACKET_MS ? 0 : durationMs;
}

function frameCount(toc: number, countByte: number | undefined): number {
  const code = toc & 3;
  if (code === 0) return 1;
  if (code < 3) return 2;
  return (countByte ?? 0) & 63;
}

function orInvalid(packet: Uint8Array, decode: () => Int16Array): Int16Array {
  if (packet.length === 0) throw new AppError("validation_failed", "an opus packet must not be empty");
  try {
    return decode();
  } catch (error) {
    throw new AppError("validation_failed", `not an opus packet: ${messageOf(error)}`, { cause: error });
  }
}
