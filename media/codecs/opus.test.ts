import { AppError } from "@parley/shared/errors.ts";
import fc from "fast-check";
import { Application, createDecoder, createEncoder } from "libopus-wasm";
import { describe, expect, it } from "vitest";
import { flite } from "../../testkit/speech.ts";
import { createResampler } from "../resample/resampler.ts";
import { createOpusDecoder, createOpusEncoder, opusDurationMs } from "./opus.ts";

const SENTENCE = "The quick brown fox jumps over the lazy dog.";

function levelOf(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / Math.max(1, samples.length));
}

/** Highest normalized correlation of `b` with `a` over delays of up to 30 ms. */
function likeness(a: Int16Array, b: Int16Array): number {
  let best = 0;
  for (let delay = 0; delay < 480; delay++) {
    let [ab, aa, bb] = [0, 0, 0];
    for (let i = 0; i + delay < b.length && i < a.length; i += 3) {
      ab += a[i]! * b[i + delay]!;
      aa += a[i]! ** 2;
      bb += b[i + delay]! ** 2;
    }
    best = Math.max(best, ab / Math.sqrt(aa * bb || 1));
  }
  return best;
}

async function speechPackets(): Promise<{ speech: Int16Array; packets: Uint8Array[] }> {
  const speech = await flite(SENTENCE);
  const encoder = await createOpusEncoder();
  const packets: Uint8Array[] = [];
  for (let at = 0; at + 320 <= speech.length; at += 320)
    packets.push(encoder.encode(speech.subarray(at, at + 320)));
  encoder.free();
  return { speech, packets };
}

async function decodeAll(packets: Uint8Array[]): Promise<Int16Array> {
  const decoder = await createOpusDecoder();
  const decoded = Int16Array.from(packets.flatMap((packet) => [...decoder.decode(packet)]));
  decoder.free();
  return decoded;
}

/** What another program's encoder makes of speech: 48 kHz, 20 ms, mono or stereo. */
async function peerPackets(channels: 1 | 2): Promise<Uint8Array[]> {
  const resampler = await createResampler(16_000, 48_000);
  const speech = resampler.process(await flite(SENTENCE));
  const encoder = await createEncoder({
    sampleRate: 48_000,
    channels,
    application: Application.Voip,
    complexity: 5,
  });
  const packets: Uint8Array[] = [];
  for (let at = 0; at + 960 <= speech.length; at += 960) {
    const frame = speech.subarray(at, at + 960);
    packets.push(
      encoder.encode(channels === 1 ? frame : Int16Array.from({ length: 1920 }, (_, i) => frame[i >> 1]!)),
    );
  }
  encoder.free();
  resampler.free();
  return packets;
}

/** Several equal frames in one packet (RFC 6716, 3.2.5, code 3 with constant bit rate). */
function repeatFrame(packet: Uint8Array, times: number): Uint8Array {
  const frame = packet.subarray(1);
  return Uint8Array.of(
    (packet[0]! & 0xfc) | 3,
    times,
    ...Array.from({ length: times }, () => [...frame]).flat(),
  );
}

describe("opus", () => {
  it("carries speech in 20 ms packets of about 24 kbit/s", async () => {
    const { speech, packets } = await speechPackets();
    const decoded = await decodeAll(packets);
    expect(decoded).toHaveLength(packets.length * 320);
    expect(likeness(speech, decoded)).toBeGreaterThan(0.9);
    const bitsPerSecond =
      (packets.reduce((sum, packet) => sum + packet.length, 0) * 8) / (packets.length * 0.02);
    expect(bitsPerSecond).toBeLessThan(32_000);
  });

  it.each([1, 2] as const)("decodes what a peer encoded at 48 kHz with %i channel(s)", async (channels) => {
    expect(likeness(await flite(SENTENCE), await decodeAll(await peerPackets(channels)))).toBeGreaterThan(
      0.9,
    );
  });

  it("is decoded by a peer at 48 kHz", async () => {
    const { speech, packets } = await speechPackets();
    const [peer, resampler] = [await createDecoder({ channels: 1 }), await createResampler(48_000, 16_000)];
    const decoded = packets.flatMap((packet) => [...resampler.process(peer.decode(packet))]);
    peer.free();
    resampler.free();
    expect(likeness(speech, Int16Array.from(decoded))).toBeGreaterThan(0.9);
  });

  it.each([2.5, 5, 10, 20, 40, 60])("decodes packets of %d ms and knows their length", async (ms) => {
    const encoder = await createEncoder({
      sampleRate: 16_000,
      channels: 1,
      frameSize: 16 * ms,
      complexity: 0,
    });
    const packet = encoder.encode(new Int16Array(16 * ms).fill(900));
    encoder.free();
    const decoder = await createOpusDecoder();
    expect(decoder.decode(packet)).toHaveLength(16 * ms);
    expect(opusDurationMs(packet)).toBe(ms);
    decoder.free();
  });

  it.each([1, 3, 6])("decodes %i frames in one packet and knows their length", async (times) => {
    const packet = repeatFrame((await speechPackets()).packets[30]!, times);
    expect(await decodeAll([packet])).toHaveLength(320 * times);
    expect(opusDurationMs(packet)).toBe(20 * times);
  });

  it("rebuilds a lost packet from the next one, and makes one up when that is lost too", async () => {
    const { packets } = await speechPackets();
    const decoder = await createOpusDecoder();
    const reference = await createOpusDecoder();
    const lost = 40;
    for (const packet of packets.slice(0, lost)) {
      decoder.decode(packet);
      reference.decode(packet);
    }
    const original = reference.decode(packets[lost]!);
    const recovered = decoder.recover(packets[lost + 1]!);
    expect(recovered).toHaveLength(320);
    expect(levelOf(recovered)).toBeGreaterThan(levelOf(original) / 4);
    expect(decoder.conceal(20)).toHaveLength(320);
    decoder.free();
    reference.free();
  });

  it("answers garbage with an error or with sound, and works on afterwards", async () => {
    const { packets } = await speechPackets();
    const decoder = await createOpusDecoder();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_500 }), (garbage) => {
        expect(opusDurationMs(garbage)).toBeLessThanOrEqual(120);
        try {
          expect(decoder.decode(garbage).length).toBeLessThanOrEqual(16 * 120);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).code).toBe("validation_failed");
        }
        expect(decoder.decode(packets[30]!)).toHaveLength(320);
      }),
      { numRuns: 500 },
    );
    decoder.free();
  });

  it("tells the length that the decoder then finds", async () => {
    const decoder = await createOpusDecoder();
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (bytes) => {
        try {
          expect(decoder.decode(bytes).length / 16).toBe(opusDurationMs(bytes));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      }),
      { numRuns: 500 },
    );
    decoder.free();
  });
});
