import { AppError } from "@parley/shared/errors.ts";
import { Application, createDecoder, createEncoder, isOpusError, Signal } from "libopus-wasm";
import { FRAME_MS, FRAME_SAMPLES, msToSamples, PCM_RATE_HZ } from "../pcm.ts";

/**
 * Opus at 16 kHz mono. The packets are the ones a 48 kHz peer sends and expects (a packet carries no rate, its clock is
 * always 48 kHz, RFC 7587), without a resampler's delay and cost. It is also the safe way to run libopus-wasm 0.2,
 * whose stack is 64 KB without a guard: this mode takes at most 29 KB, while 48 kHz stereo or long music frames overrun
 * the stack into the memory that all calls share.
 */

/** Longest packet that Opus allows (RFC 6716, 3.1). */
const MAX_PACKET_MS = 120;
/** Loss the encoder prepares for with in-band FEC; mobile networks lose a few percent. */
const EXPECTED_LOSS_PERCENT = 5;
const BITRATE = 24_000;
/** Complexity on libopus' scale of 0 to 10; 5 costs half of 10 and sounds the same for speech. */
const COMPLEXITY = 5;
/** Higher values are no closer to the waveform until 10, which costs six times as much. */
const KEEPING_COMPLEXITY = 2;

export interface OpusEncoder {
  /** Encodes one 20 ms frame into one new packet, which may be kept. */
  encode(frame: Int16Array): Uint8Array;
  free(): void;
}

export interface OpusDecoder {
  /** Decodes a packet of 2.5 to 120 ms. Throws `AppError` validation_failed for anything else. */
  decode(packet: Uint8Array): Int16Array;
  /** Rebuilds the 20 ms packet lost just before `next` from the FEC data in `next`. */
  recover(next: Uint8Array): Int16Array;
  /** Conceals a lost packet with `durationMs` of sound if the next packet is missing too. */
  conceal(durationMs: number): Int16Array;
  free(): void;
}

/** A voice encoder: 20 ms packets with in-band FEC. */
export async function createOpusEncoder(): Promise<OpusEncoder> {
  const encoder = await createEncoder({
    sampleRate: PCM_RATE_HZ,
    channels: 1,
    application: Application.Voip,
    signal: Signal.Voice,
    frameSize: FRAME_SAMPLES,
    bitrate: BITRATE,
    complexity: COMPLEXITY,
    fec: true,
    packetLossPercent: EXPECTED_LOSS_PERCENT,
  });
  return { encode: (frame) => encoder.encode(frame), free: () => encoder.free() };
}

/**
 * Creates an encoder for stored audio. Nothing is lost on the way, so it needs no FEC; it keeps to the waveform, which
 * the voice encoder only approximates, and at this rate that also costs less than half. The first `delaySamples`
 * decoded samples are not part of the sound.
 */
export async function createKeepingEncoder(): Promise<OpusEncoder & { readonly delaySamples: number }> {
  const encoder = await createEncoder({
    sampleRate: PCM_RATE_HZ,
    channels: 1,
    application: Application.Audio,
    frameSize: FRAME_SAMPLES,
    bitrate: BITRATE,
    complexity: KEEPING_COMPLEXITY,
  });
  return {
    delaySamples: encoder.getLookahead(),
    encode: (frame) => encoder.encode(frame),
    free: () => encoder.free(),
  };
}

/** Creates a decoder; packets from stereo peers are mixed down. */
export async function createOpusDecoder(): Promise<OpusDecoder> {
  const decoder = await createDecoder({ sampleRate: PCM_RATE_HZ, channels: 1 });
  const decode = (packet: Uint8Array, options?: { decodeFec: true; frameSize: number }) => {
    if (packet.length === 0) throw new AppError("validation_failed", "an opus packet must not be empty");
    try {
      return decoder.decode(packet, options);
    } catch (error) {
      if (!isOpusError(error)) throw error;
      throw new AppError("validation_failed", `not an opus packet: ${error.message}`, { cause: error });
    }
  };
  return {
    decode,
    recover: (next) => decode(next, { decodeFec: true, frameSize: msToSamples(FRAME_MS) }),
    conceal: (durationMs) => decoder.decodePacketLoss(msToSamples(durationMs)),
    free: () => decoder.free(),
  };
}

/** Frame length in ms by the upper five bits of the TOC byte (RFC 6716, table 2): SILK, hybrid, CELT. */
const FRAME_MS_BY_CONFIG = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
];

/** Duration of `packet` by its first two bytes (RFC 6716, 3.1); 0 if it cannot be a packet. */
export function opusDurationMs(packet: Uint8Array): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const durationMs = (FRAME_MS_BY_CONFIG[toc >> 3] ?? 0) * frameCount(toc, packet[1]);
  return durationMs > MAX_PACKET_MS ? 0 : durationMs;
}

function frameCount(toc: number, countByte: number | undefined): number {
  const code = toc & 3;
  if (code === 0) return 1;
  if (code < 3) return 2;
  return (countByte ?? 0) & 63;
}
