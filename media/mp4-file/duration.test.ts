import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mp4DurationMs } from "./duration.ts";

const message = await readFile(new URL("../../testkit/sounds/table-for-two.m4a", import.meta.url));

describe("the length of an MP4 file", () => {
  it("is that of a phone's recording", () => {
    expect(mp4DurationMs(message)).toBe(2_457);
  });

  it("is read from a header with times of 64 bits", () => {
    const header = Buffer.alloc(40);
    header.writeUInt8(1, 8);
    header.writeUInt32BE(48_000, 28);
    header.writeBigUInt64BE(96_000n, 32);
    expect(mp4DurationMs(box("moov", boxed("mvhd", header)))).toBe(2_000);
  });

  it("is unknown where the header says so, as a file that is sent in fragments does", () => {
    for (const units of [0, 0xffff_ffff]) {
      const header = Buffer.alloc(28);
      header.writeUInt32BE(1_000, 20);
      header.writeUInt32BE(units, 24);
      expect(mp4DurationMs(box("moov", boxed("mvhd", header)))).toBeUndefined();
    }
  });

  it("is unknown where the file is cut off, or no MP4 file at all", () => {
    expect(mp4DurationMs(message.subarray(0, 60))).toBeUndefined();
    expect(mp4DurationMs(Buffer.from("OggS and something that is no sound"))).toBeUndefined();
    expect(mp4DurationMs(Buffer.alloc(0))).toBeUndefined();
  });

  it("never fails, whatever the bytes", () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, (junk) => {
        mp4DurationMs(junk);
        mp4DurationMs(box("moov", Buffer.from(junk)));
      }),
    );
  });
});

function box(type: string, content: Buffer): Buffer {
  return boxed(type, Buffer.concat([Buffer.alloc(8), content]));
}

/** Writes size and type into the first eight bytes. */
function boxed(type: string, bytes: Buffer): Buffer {
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write(type, 4, "latin1");
  return bytes;
}
