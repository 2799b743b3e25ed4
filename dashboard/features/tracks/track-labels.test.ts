import { expect, test } from "vitest";
import { lengthText, nameOf, roomText, sizeText, whyNoRoom } from "./track-labels.ts";

const MIB = 1024 * 1024;

test.each([
  [1, "1 kB"],
  [16_044, "16 kB"],
  [MIB - 1, "1024 kB"],
  [MIB, "1 MB"],
  [1.55 * MIB, "1.6 MB"],
  [200 * MIB, "200 MB"],
])("%d bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test.each([
  [40, "0:01"],
  [199_600, "3:20"],
])("%d ms are %s", (durationMs, text) => {
  expect(lengthText(durationMs)).toBe(text);
});

test("how much is taken is told in tracks and in size", () => {
  expect(roomText({ total: 0, usedBytes: 0, maxBytes: 200 * MIB })).toBe("0 of 50 tracks, 0 MB of 200 MB");
  expect(roomText({ total: 3, usedBytes: 4.5 * MIB, maxBytes: 200 * MIB })).toBe(
    "3 of 50 tracks, 4.5 MB of 200 MB",
  );
});

test.each([
  ["fits exactly", { total: 49, usedBytes: 199 * MIB }, MIB, undefined],
  ["is one too many", { total: 50, usedBytes: 0 }, 1, "There are 50 tracks already. Delete one first."],
  [
    "is too large",
    { total: 1, usedBytes: 198 * MIB },
    3 * MIB,
    "It takes 3 MB, and there is room for 2 MB more. Delete a track first.",
  ],
  [
    "finds the library full",
    { total: 1, usedBytes: 200 * MIB },
    3 * MIB,
    "It takes 3 MB, and there is room for nothing more. Delete a track first.",
  ],
])("what %s", (_what, taken, bytes, why) => {
  expect(whyNoRoom({ ...taken, maxBytes: 200 * MIB }, bytes)).toBe(why);
});

test.each([
  ["hold-music.mp3", "hold-music"],
  ["Opening hours 9.30.wav", "Opening hours 9.30"],
  [".wav", ""],
  ["no ending", "no ending"],
])("%s is called %j", (file, name) => {
  expect(nameOf(file)).toBe(name);
});
