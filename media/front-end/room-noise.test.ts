import { describe, expect, it } from "vitest";
import { Foreground } from "./foreground.ts";
import { RoomNoise } from "./room-noise.ts";

const SECOND = 50;

/** Speech at -24 dBFS whose pauses have the room's level. */
const talking = (frame: number, roomDb: number): number => (frame % 30 < 22 ? -24 : roomDb);

describe("the room behind a voice", () => {
  const hear = (room: RoomNoise, seconds: number, levelOf: (frame: number) => number): boolean[] =>
    Array.from({ length: seconds * SECOND }, (_, frame) => room.push(levelOf(frame)));

  it("is noisy from its first frame, or never, by what is there between the words", () => {
    expect(hear(new RoomNoise(-60), 5, (frame) => talking(frame, -45))).not.toContain(false);
    expect(hear(new RoomNoise(-60), 5, (frame) => talking(frame + 25, -70))).not.toContain(true);
  });

  it("is noisy soon after noise begins, and quiet again when it has been quiet for seconds", () => {
    const room = new RoomNoise(-60);
    hear(room, 2, () => -75);
    const begins = hear(room, 4, () => -45);
    expect(begins.indexOf(true) * 20).toBeLessThanOrEqual(3_000);
    const ends = hear(room, 6, () => -75);
    expect(ends.slice(0, 2 * SECOND)).not.toContain(false);
    expect(ends.at(-1)).toBe(false);
  });

  it("is not noisy for a loud voice that leaves no gap down to the room, as it is for a usual one", () => {
    const unbroken = (voiceDb: number): boolean => {
      const room = new RoomNoise(-55);
      hear(room, 4, () => -66);
      return Array.from({ length: 4 * SECOND }, () => room.push(-53, voiceDb)).includes(true);
    };
    expect([unbroken(-10), unbroken(-22)]).toEqual([false, true]);
  });

  it("stays what it was near the limit", () => {
    const room = new RoomNoise(-60);
    hear(room, 2, () => -58);
    expect(hear(room, 60, (frame) => (frame % 100 < 50 ? -61 : -64))).not.toContain(false);
  });
});

describe("the voice at the microphone", () => {
  const hear = (gate: Foreground, ms: number, levelDb: number): boolean[] =>
    Array.from({ length: ms / 20 }, () => gate.push(levelDb, true));

  it("is not the one behind it that goes on 20 dB softer, but is again when it comes back", () => {
    const gate = new Foreground();
    hear(gate, 2_000, -24);
    const behind = hear(gate, 2_000, -44);
    expect(behind.indexOf(false) * 20).toBeLessThanOrEqual(200);
    expect(behind.slice(10)).not.toContain(true);
    expect(hear(gate, 200, -26)).not.toContain(false);
  });

  it("may end its words softly", () => {
    const gate = new Foreground();
    hear(gate, 2_000, -24);
    expect(hear(gate, 180, -42)).not.toContain(false);
  });

  it("is heard again at a softer level after seconds", () => {
    const gate = new Foreground();
    hear(gate, 2_000, -24);
    expect(hear(gate, 5_000, -40).at(-1)).toBe(true);
  });

  it("is nothing that is no voice", () => {
    expect(new Foreground().push(-20, false)).toBe(false);
  });
});
