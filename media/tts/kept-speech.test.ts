import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { SpeechBreakers } from "../speech-breaker.ts";
import { SpeechError } from "../speech-error.ts";
import { openTtsWithFallback } from "./fallback.ts";
import { KeptSpeech, type Manner } from "./kept-speech.ts";
import type { TtsVendor } from "./port.ts";
import { SpeechRates } from "./spoken-part.ts";

const MANNER: Manner = { agentId: "agt_1", vendor: "flite", style: " slt" };
const second = (mark: number): Int16Array => new Int16Array(1_000).fill(mark);

describe("speech that is kept", () => {
  it("is an agent's own, in one voice, of one organization", () => {
    const kept = new KeptSpeech(new ManualClock());
    kept.put("org_1", MANNER, { text: "Hello.", samples: second(1) });
    expect(kept.get("org_1", MANNER, " Hello.")).toEqual(second(1));
    expect(kept.get("org_2", MANNER, "Hello.")).toBeUndefined();
    expect(kept.get("org_1", { ...MANNER, agentId: "agt_2" }, "Hello.")).toBeUndefined();
    expect(kept.get("org_1", { ...MANNER, style: " awb" }, "Hello.")).toBeUndefined();
    expect(kept.get("org_1", MANNER, "Hello!")).toBeUndefined();
  });

  it("goes with its agent, and when nobody has asked for it for a day", () => {
    const clock = new ManualClock();
    const kept = new KeptSpeech(clock);
    const other = { ...MANNER, agentId: "agt_2" };
    for (const manner of [MANNER, other]) kept.put("org_1", manner, { text: "Hello.", samples: second(1) });
    kept.forget("org_1", "agt_1");
    expect(kept.get("org_1", MANNER, "Hello.")).toBeUndefined();
    clock.advance(23 * 3_600_000);
    expect(kept.get("org_1", other, "Hello.")).toBeDefined();
    clock.advance(25 * 3_600_000);
    expect(kept.get("org_1", other, "Hello.")).toBeUndefined();
    expect(kept.bytes).toBe(0);
  });

  it("is bounded in bytes: an organization pushes out what it has not used for longest, and nothing of another's", () => {
    const kept = new KeptSpeech(new ManualClock(), { orgBytes: 4_000, clauseBytes: 3_000 });
    kept.put("org_2", MANNER, { text: "Theirs.", samples: second(9) });
    for (const text of ["One.", "Two."]) kept.put("org_1", MANNER, { text, samples: second(1) });
    kept.get("org_1", MANNER, "One.");
    kept.put("org_1", MANNER, { text: "Three.", samples: second(3) });
    expect(kept.get("org_1", MANNER, "Two.")).toBeUndefined();
    expect(kept.get("org_1", MANNER, "One.")).toBeDefined();
    expect(kept.get("org_2", MANNER, "Theirs.")).toBeDefined();
    kept.put("org_1", MANNER, { text: "Too long.", samples: new Int16Array(2_000) });
    expect(kept.get("org_1", MANNER, "Too long.")).toBeUndefined();
    expect(kept.bytes).toBe(6_000);
  });
});

describe("a voice whose lines are kept", () => {
  function voice() {
    const asked: string[] = [];
    const state = { isDead: false };
    const vendor = (name: string): TtsVendor => ({
      name,
      openReply: () => ({
        say: async function* say(text) {
          asked.push(`${name}: ${text}`);
          if (state.isDead && name === "first") throw new SpeechError(name, "died", { retryable: true });
          yield second(8_000);
          yield second(4_000);
        },
        close: () => undefined,
      }),
    });
    const shelf = new KeptSpeech(new ManualClock());
    const kept = {
      isKept: (text: string) => text === "Hello.",
      has: (text: string) => shelf.get("org_1", MANNER, text) !== undefined,
      get: (text: string) => shelf.get("org_1", MANNER, text),
      put: (text: string, samples: Int16Array) => shelf.put("org_1", MANNER, { text, samples }),
    };
    const say = async (text: string, names = ["first"]): Promise<number> => {
      const reply = openTtsWithFallback({
        choices: names.map((name) => ({ vendor: vendor(name), voice: {} })),
        breakers: new SpeechBreakers(new ManualClock()).of("org_1"),
        rates: new SpeechRates(),
        kept,
        signal: new AbortController().signal,
        onError: () => undefined,
        onFallback: () => undefined,
      });
      let samples = 0;
      for await (const chunk of reply.say(text)) samples += chunk.length;
      return samples;
    };
    return { asked, state, say };
  }

  it("is asked once for them, and each time for anything else", async () => {
    const { asked, say } = voice();
    const first = await say("Hello.");
    expect(await say("Hello.")).toBe(first);
    await say("It is noon.");
    await say("It is noon.");
    expect(asked).toEqual(["first: Hello.", "first: It is noon.", "first: It is noon."]);
  });

  it("says them while its vendor is away", async () => {
    const { state, say } = voice();
    const first = await say("Hello.");
    state.isDead = true;
    expect(await say("Hello.")).toBe(first);
    await expect(say("It is noon.")).rejects.toThrow("died");
  });

  it("does not take the words of the voice that stood in for its own", async () => {
    const { asked, state, say } = voice();
    state.isDead = true;
    await say("Hello.", ["first", "second"]);
    state.isDead = false;
    await say("Hello.", ["first", "second"]);
    expect(asked).toEqual(["first: Hello.", "second: Hello.", "first: Hello."]);
  });
});
