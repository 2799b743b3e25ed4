import { expect, it } from "vitest";
import { OwnSound } from "./own-sound.ts";
import type { EchoState } from "./own-voice.ts";

const FRAME = new Int16Array(320);
const FRAMES_A_SECOND = 50;

/** A line on which the agent speaks and no echo has been found. */
function overTheAgent() {
  const sound = new OwnSound({ hear: () => 0, state: "unknown" as EchoState, echoes: 0 });
  const hear = (seconds: number, isVoice: boolean): void => {
    for (let i = 0; i < seconds * FRAMES_A_SECOND; i++) sound.hear(FRAME, 0, isVoice);
  };
  return { sound, hear };
}

it("a voice is the caller's where the agent was not heard before", () => {
  const { sound, hear } = overTheAgent();
  hear(3, false);
  hear(0.3, true);
  expect(sound.origin.whose).toBe("theirs");
});

it("nobody knows whose voice is heard as soon as the agent speaks", () => {
  const { sound, hear } = overTheAgent();
  hear(0.5, false);
  hear(0.5, true);
  expect(sound.origin.whose).toBe("unsure");
});

it("nobody knows whose voice it is that is heard whenever the agent speaks", () => {
  const { sound, hear } = overTheAgent();
  for (let i = 0; i < 10; i++) {
    hear(0.3, false);
    hear(0.2, true);
  }
  expect(sound.origin.whose).toBe("unsure");
});

it("words that come after their sound was forgotten are still of that sound", () => {
  const { sound, hear } = overTheAgent();
  hear(3, false);
  hear(0.3, true);
  sound.forget();
  hear(0.3, false);
  expect(sound.origin.whose).toBe("theirs");
  hear(2, false);
  expect(sound.origin.whose).toBe("nobody");
});

it("a voice before the last words is no part of the next ones", () => {
  const { sound, hear } = overTheAgent();
  hear(3, false);
  hear(0.3, true);
  sound.forget();
  hear(1, false);
  hear(0.12, true);
  expect(sound.origin.whose).toBe("unsure");
});

it("a caller who interrupts again and again is taken for no echo", () => {
  const { sound, hear } = overTheAgent();
  for (let answer = 0; answer < 3; answer++) {
    hear(2, false);
    hear(1, true);
    sound.forget();
    sound.wereTheirs();
  }
  hear(2, false);
  hear(0.3, true);
  expect(sound.origin.whose).toBe("theirs");
});

it("whose words they were is asked of the last voice only", () => {
  const { sound, hear } = overTheAgent();
  for (let i = 0; i < 10; i++) {
    hear(0.3, false);
    hear(0.2, true);
  }
  sound.forget();
  hear(0.4, true);
  sound.forget();
  sound.wereTheirs();
  hear(0.4, true);
  expect(sound.origin.whose).toBe("unsure");
});
