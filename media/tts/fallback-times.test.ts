import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { SpeechBreakers } from "../speech-breaker.ts";
import { SpeechError } from "../speech-error.ts";
import type { CharTime } from "./char-times.ts";
import { openTtsWithFallback } from "./fallback.ts";
import type { TtsReply, TtsVendor } from "./port.ts";
import { SpeechRates } from "./spoken-part.ts";

const loud = (samples: number): Int16Array => new Int16Array(samples).fill(9_000);

function vendorOf(name: string, say: TtsReply["say"]): TtsVendor {
  return { name, openReply: () => ({ say, close: () => undefined }) };
}

async function listen(vendors: readonly TtsVendor[], text: string) {
  const said: CharTime[] = [];
  const problems: string[] = [];
  let samples = 0;
  let isReset = false;
  const reply = openTtsWithFallback({
    choices: vendors.map((vendor) => ({ vendor, voice: {} })),
    breakers: new SpeechBreakers(new ManualClock()).of("org_1"),
    signal: new AbortController().signal,
    rates: new SpeechRates(),
    onError: () => undefined,
    onFallback: () => undefined,
    onTimesUnusable: (vendor, why) => problems.push(`${vendor}: ${why}`),
  });
  const times = {
    said: (time: CharTime) => said.push(time),
    unusable: () => {
      isReset = true;
    },
  };
  for await (const chunk of reply.say(text, times)) samples += chunk.length;
  return { said, problems, samples, isReset };
}

describe("the times of a clause", () => {
  it("are of what is played, without the silence that was left off", async () => {
    const quiet = vendorOf("a", async function* say(_text, times) {
      times?.said({ endChar: 2, endSample: 6_000 });
      yield new Int16Array(3_000);
      yield Int16Array.of(...new Int16Array(1_000), ...loud(2_000));
      times?.said({ endChar: 5, endSample: 8_000 });
      yield loud(2_000);
    });
    const { said, samples } = await listen([quiet], "Hi yo");
    // 20 ms are kept before the first sound.
    expect(samples).toBe(4_000 + 320);
    expect(said).toEqual([
      { endChar: 2, endSample: 2_000 + 320 },
      { endChar: 5, endSample: 4_000 + 320 },
    ]);
  });

  it("go on where another voice goes on with the rest", async () => {
    const dies = vendorOf("a", async function* say(_text, times) {
      times?.said({ endChar: 3, endSample: 8_000 });
      yield loud(8_000);
      throw new SpeechError("a", "died", { retryable: true });
    });
    const asked: string[] = [];
    const goesOn = vendorOf("b", async function* say(text, times) {
      asked.push(text);
      times?.said({ endChar: text.length, endSample: 1_600 });
      yield loud(1_600);
    });
    const text = "One two three four five six seven";
    const { said, samples } = await listen([dies, goesOn], text);
    expect(text.endsWith(` ${asked[0]}`)).toBe(true);
    expect(said).toEqual([
      { endChar: 3, endSample: 8_000 },
      { endChar: text.length, endSample: samples },
    ]);
  });

  it("are given up when the vendor's cannot be, and it is told whose", async () => {
    const wrong = vendorOf("a", async function* say(_text, times) {
      times?.said({ endChar: 3, endSample: 8_000 });
      times?.unusable("times that go back");
      yield loud(8_000);
    });
    const { said, problems, isReset } = await listen([wrong], "One two");
    expect({ said, problems, isReset }).toEqual({
      said: [],
      problems: ["a: times that go back"],
      isReset: true,
    });
  });
});
