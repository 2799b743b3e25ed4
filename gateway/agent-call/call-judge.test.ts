import type { EndOfTurnModel, SaidSoFar } from "@parley/media/end-of-turn/end-of-turn-model.ts";
import { FRAME_SAMPLES, msToSamples } from "@parley/media/pcm.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { CallJudge } from "./call-judge.ts";

const HEARS_MS = 1_000;

let clock: ManualClock;
let asked: (Omit<SaidSoFar, "sound"> & { readonly heard: Int16Array })[];
let judge: CallJudge;

beforeEach(() => {
  clock = new ManualClock();
  asked = [];
  const model: EndOfTurnModel = {
    ...{ withinMs: 150, hearsMs: HEARS_MS },
    ask: async ({ sound, ...said }) => {
      asked.push({ ...said, heard: sound() });
      return 0.5;
    },
    close: async () => undefined,
  };
  judge = new CallJudge({ model, language: "en", now: () => clock.monotonicMs() });
});

const say = (turn: number, role: "user" | "assistant", wholeText: string): void =>
  judge.add({
    turn,
    role,
    wholeText,
    text: wholeText,
    interrupted: false,
    source: role === "user" ? "speech" : "brain",
  });

/** Each sample says in which frame it came. */
function hear(frames: number, from = 0): void {
  for (let i = 0; i < frames; i++) {
    judge.hear(new Int16Array(FRAME_SAMPLES).fill(from + i));
    clock.advance(20);
  }
}

describe("what a call asks an end-of-turn model", () => {
  it("is the turn's text, with what both sides said before the turn", async () => {
    say(0, "assistant", "Good evening.");
    say(1, "user", "A table");
    say(1, "user", "A table for two");
    say(1, "assistant", "For when?");
    say(2, "user", "Tomor");
    await judge.ask({ text: "Tomorrow at", turn: 2, startedAtMs: 0 });
    expect(asked).toMatchObject([
      {
        ...{ text: "Tomorrow at", language: "en" },
        history: [
          { role: "assistant", text: "Good evening." },
          { role: "user", text: "A table for two" },
          { role: "assistant", text: "For when?" },
        ],
      },
    ]);
  });

  it("has the last six lines, and of a long one its end", async () => {
    for (let turn = 1; turn <= 10; turn++) say(turn, "user", `line ${turn}`);
    say(11, "assistant", `${"x".repeat(1_000)} and that is all.`);
    await judge.ask({ text: "yes", turn: 12, startedAtMs: 0 });
    const { history } = asked[0] ?? { history: [] };
    expect(history.map(({ text }) => text.slice(-8))).toEqual(
      ["line 6", "line 7", "line 8", "line 9", "line 10", "is all."].map((end) =>
        expect.stringContaining(end),
      ),
    );
    expect(history.at(-1)?.text).toHaveLength(400);
  });

  it("has the caller's sound from a little before the turn's voice", async () => {
    hear(100);
    await judge.ask({ text: "yes", turn: 1, startedAtMs: 2_000 - 300 });
    const { heard } = asked[0] ?? { heard: [] };
    expect(heard).toHaveLength(msToSamples(500));
    expect([heard[0], heard.at(-1)]).toEqual([75, 99]);
  });

  it("has no more sound than the model takes, and none that was not heard", async () => {
    hear(5);
    await judge.ask({ text: "yes", turn: 1, startedAtMs: -10_000 });
    hear(200, 5);
    await judge.ask({ text: "yes", turn: 2, startedAtMs: -10_000 });
    expect(asked.map(({ heard }) => [heard.length, heard[0]])).toEqual([
      [msToSamples(100), 0],
      [msToSamples(HEARS_MS), 155],
    ]);
  });
});
