import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createFlite, FLITE_VOICES } from "./flite.ts";
import type { TtsReply } from "./port.ts";
import { describeTtsContract, listenTo } from "./tts.contract.ts";

const flite = createFlite({ threads: 2 });
afterAll(() => flite.close?.());

describeTtsContract("flite", async () => ({ vendor: () => flite, close: async () => undefined }));

describe("flite", () => {
  const never = new AbortController().signal;

  it("has several voices, and speaks with its own when it does not know the one that is asked for", async () => {
    const lengths = new Set<number>();
    for (const voice of [...FLITE_VOICES, "nobody"]) {
      const said = await listenTo(flite.openReply({ voice, signal: never }), "Hello there, how are you?");
      expect(said.peak).toBeGreaterThan(1_000);
      lengths.add(said.samples);
    }
    expect(lengths.size).toBe(FLITE_VOICES.length);
  });

  it.each([0.5, 2])("speaks %d times as fast", async (speed) => {
    const text = "We are open from nine to five.";
    const usual = await listenTo(flite.openReply({ signal: never }), text);
    const said = await listenTo(flite.openReply({ speed, signal: never }), text);
    expect(usual.samples / said.samples).toBeCloseTo(speed, 1);
  });

  it("speaks twenty clauses that are asked for at once, each whole", async () => {
    const alone = await listenTo(flite.openReply({ signal: never }), "Sure, let me check that.");
    const together = await Promise.all(
      Array.from({ length: 20 }, () =>
        listenTo(flite.openReply({ signal: never }), "Sure, let me check that."),
      ),
    );
    expect(together).toEqual(Array.from({ length: 20 }, () => alone));
  });

  it("begins a long text with its first sentence", async () => {
    const sentence = "This is one of many sentences that follow each other without end. ";
    const reply = flite.openReply({ signal: never });
    const chunks: number[] = [];
    for await (const samples of reply.say(sentence.repeat(10))) chunks.push(samples.length);
    expect(chunks.length).toBeGreaterThan(4);
    const one = await listenTo(reply, sentence);
    expect(chunks[0]).toBeLessThan(3 * one.samples);
    expect(chunks.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(9 * one.samples);
  });

  it("drops what waits when the answer is aborted, and goes on with the others", async () => {
    const abort = new AbortController();
    const dropped = Array.from({ length: 30 }, (_, i) =>
      listenTo(flite.openReply({ signal: abort.signal }), `Sentence number ${i} will not be spoken.`),
    );
    const kept = listenTo(flite.openReply({ signal: never }), "This one is spoken.");
    abort.abort();
    expect((await kept).samples).toBeGreaterThan(8_000);
    for (const said of await Promise.all(dropped))
      expect(said).toMatchObject({ samples: 0, error: undefined });
  });

  it("speaks to a caller who has heard nothing before it reads further ahead for others", async () => {
    const oneThread = createFlite({ threads: 1 });
    onTestFinished(async () => oneThread.close?.());
    const order: string[] = [];
    const say = async (reply: TtsReply, name: string): Promise<void> => {
      await listenTo(reply, "This sentence takes some seconds to be heard, as there is a lot in it.");
      order.push(name);
    };
    const ahead = Array.from({ length: 5 }, () => oneThread.openReply({ signal: never }));
    await Promise.all(ahead.map((reply) => say(reply, "first")));
    order.length = 0;
    const further = ahead.map((reply) => say(reply, "further"));
    await Promise.all([...further, say(oneThread.openReply({ signal: never }), "waiting")]);
    // The thread was idle, so one of the others had begun.
    expect(order.indexOf("waiting")).toBe(1);
  });

  it("lets a clause wait for a thread for twenty seconds, however many do, and says then that none was free", async () => {
    const clock = new ManualClock();
    const oneThread = createFlite({ threads: 1, clock });
    onTestFinished(async () => oneThread.close?.());
    const refused: string[] = [];
    const asked = Array.from({ length: 300 }, () =>
      oneThread
        .openReply({ signal: never })
        .say("One more.")
        [Symbol.asyncIterator]()
        .next()
        .catch((error: Error) => void refused.push(error.message)),
    );
    clock.advance(9_999);
    await new Promise(setImmediate);
    expect(refused).toEqual([]);
    clock.advance(10_001);
    await Promise.all(asked);
    // Two had a thread, which gives up on a clause after ten seconds.
    expect(refused.filter((why) => why === "flite: no thread was free within 20000 ms")).toHaveLength(298);
  });

  it("is over when it is closed", async () => {
    const own = createFlite({ threads: 1 });
    const reply = own.openReply({ signal: never });
    const saying = listenTo(reply, "This is cut short.");
    await own.close?.();
    expect((await saying).error).toMatchObject({ retryable: false });
    expect((await listenTo(reply, "And this is not begun.")).error).toMatchObject({ retryable: false });
  });
});
