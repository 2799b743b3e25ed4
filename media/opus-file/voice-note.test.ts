import { OggOpusDecoder } from "ogg-opus-decoder";
import { expect, it } from "vitest";
import { FOUND, likeness } from "../../testkit/likeness.ts";
import { flite } from "../../testkit/speech.ts";
import { decodeVoiceNote, encodeVoiceNote } from "./voice-note.ts";

const MINUTE_MS = 60_000;

it("a voice message sounds as it was said, here and in other players", async () => {
  const speech = await flite("The quick brown fox jumps over the lazy dog.");
  const file = await encodeVoiceNote(speech);
  const decoded = await decodeVoiceNote(file, MINUTE_MS);
  expect(likeness(decoded, speech)).toBeGreaterThan(FOUND);
  expect(Math.abs(decoded.length - speech.length)).toBeLessThanOrEqual(320);

  const player = new OggOpusDecoder();
  await player.ready;
  const { channelData, samplesDecoded, sampleRate } = await player.decodeFile(file);
  player.free();
  expect({ channels: channelData.length, sampleRate }).toEqual({ channels: 1, sampleRate: 48_000 });
  expect(samplesDecoded).toBe(3 * speech.length);
});

it("a voice message that is too long is cut, and one that is cut off is heard up to there", async () => {
  const speech = await flite("The quick brown fox jumps over the lazy dog, and then over the moon.");
  const file = await encodeVoiceNote(speech);
  expect(await decodeVoiceNote(file, 500)).toHaveLength(8_000);
  const half = await decodeVoiceNote(file.subarray(0, Math.floor(0.75 * file.length)), MINUTE_MS);
  expect(half.length).toBeGreaterThan(16_000);
  expect(half.length).toBeLessThan(speech.length);
});

it.each([
  ["nothing", new Uint8Array()],
  ["a text", Buffer.from("OggSomething else")],
  ["an MP3", Buffer.from([0xff, 0xfb, 0x90, 0x64, ...new Array<number>(400).fill(0)])],
])("%s is no voice message", async (_, bytes) => {
  await expect(decodeVoiceNote(bytes, MINUTE_MS)).rejects.toThrow("Ogg Opus");
});
