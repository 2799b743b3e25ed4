import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { decodeAlaw, encodeAlaw } from "./alaw.ts";
import { decodeMulaw, encodeMulaw } from "./mulaw.ts";

const LAWS = [
  { name: "u-law", encode: encodeMulaw, decode: decodeMulaw },
  { name: "a-law", encode: encodeAlaw, decode: decodeAlaw },
];
const ALL_CODES = Uint8Array.from({ length: 256 }, (_, i) => i);
const ALL_SAMPLES = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
const PCM_ARGS = ["-t", "raw", "-r", "8000", "-c", "1", "-e", "signed", "-b", "16", "-"];

function sox(from: string[], to: string[], input: Uint8Array): Uint8Array {
  // -D: sox would otherwise add dither; clipping of the loudest samples is expected, so its warning is not shown.
  return execFileSync("sox", ["-V0", "-D", ...from, ...to], { input });
}

describe.each(LAWS)("$name", ({ name, encode, decode }) => {
  const lawArgs = ["-t", "raw", "-r", "8000", "-c", "1", "-e", name, "-b", "8", "-"];

  describe.runIf(needs("sox"))("against sox", () => {
    it("decodes all 256 codes alike", () => {
      const ours = new Int16Array(256);
      decode(ALL_CODES, ours);
      const theirs = sox(lawArgs, PCM_ARGS, ALL_CODES);
      expect(ours).toEqual(new Int16Array(theirs.buffer.slice(theirs.byteOffset, theirs.byteOffset + 512)));
    });

    it("encodes all 65536 samples alike", () => {
      const ours = new Uint8Array(65_536);
      encode(ALL_SAMPLES, ours);
      expect(ours).toEqual(new Uint8Array(sox(PCM_ARGS, lawArgs, new Uint8Array(ALL_SAMPLES.buffer))));
    });
  });

  it("gives a decoded code back as a code of the same level", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (codes) => {
        const [first, second] = [new Int16Array(codes.length), new Int16Array(codes.length)];
        const again = new Uint8Array(codes.length);
        decode(codes, first);
        encode(first, again);
        decode(again, second);
        expect(second).toEqual(first);
      }),
    );
  });

  it("is never further off than the step of the sample's level", () => {
    fc.assert(
      fc.property(fc.int16Array({ minLength: 1, maxLength: 400 }), (samples) => {
        const codes = new Uint8Array(samples.length);
        const decoded = new Int16Array(samples.length);
        encode(samples, codes);
        decode(codes, decoded);
        samples.forEach((sample, i) => {
          expect(Math.abs(decoded[i]! - sample)).toBeLessThanOrEqual(Math.abs(sample) / 16 + 12);
        });
      }),
    );
  });
});
