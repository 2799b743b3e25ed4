import { systemClock } from "@parley/shared/clock.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { startFakeOpenAi } from "../../testkit/fakes/speech/openai.ts";
import { flite } from "../../testkit/speech.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { SpeechBreakers } from "../speech-breaker.ts";
import { SpeechError } from "../speech-error.ts";
import { createDeepgramStt } from "./deepgram.ts";
import { openSttWithFallback } from "./fallback.ts";
import { createOpenAiStt } from "./openai.ts";
import type { SttEvent, SttOptions, SttSession, SttVendor } from "./port.ts";
import { SttProbe } from "./stt.contract.ts";

const apiKey = "right-key-5d2e";
const TEXT = "I would like to book a table";

/** Opens the combined session as the gateway does, behind a probe. */
function openProbe(
  vendors: readonly SttVendor[],
  breakers = new SpeechBreakers(new ManualClock()).of("org_1"),
) {
  const moves: string[] = [];
  const errors: SpeechError[] = [];
  const combined: SttVendor = {
    name: "combined",
    open: ({ language, onEvent }) =>
      openSttWithFallback({
        choices: vendors.map((vendor) => ({ vendor, language })),
        breakers,
        onEvent,
        onError: (error) => errors.push(error),
        onFallback: (from, to) => moves.push(`${from}>${to}`),
      }),
  };
  const probe = new SttProbe(combined);
  onTestFinished(() => probe.session.close());
  return { probe, moves, errors };
}

async function startFakes() {
  const deepgram = await startFakeDeepgram({
    apiKey,
    voice: flite,
    recognizer: createScriptedRecognizer([TEXT]),
  });
  const openai = await startFakeOpenAi({
    apiKey,
    voice: flite,
    recognizer: createScriptedRecognizer([TEXT]),
  });
  onTestFinished(async () => {
    await Promise.all([deepgram.close(), openai.close()]);
  });
  return {
    deepgram,
    openai,
    vendors: [
      createDeepgramStt({ apiKey, url: deepgram.url, clock: systemClock }),
      createOpenAiStt({ apiKey, baseUrl: openai.url, clock: systemClock }),
    ],
  };
}

describe("falling back from one recognizer to the next", () => {
  it("plays the utterance again to the next vendor when the first dies in the middle of it", async () => {
    const { deepgram, vendors } = await startFakes();
    const speech = await flite(TEXT);
    deepgram.faults.set({ kind: "die", afterBytes: speech.length }, 1);
    const { probe, moves, errors } = openProbe(vendors);
    expect(probe.session.feed).toBe("stream");
    probe.hear(speech);
    probe.session.finalize();
    await probe.until(() => probe.answers === 1);
    expect(probe.finals).toEqual([TEXT]);
    expect(errors).toMatchObject([{ vendor: "deepgram", retryable: true }]);
    expect(moves[0]).toBe("deepgram>openai");
  });

  it("goes back to the better vendor for the next utterance", async () => {
    const { deepgram, openai, vendors } = await startFakes();
    const speech = await flite(TEXT);
    deepgram.faults.set({ kind: "status", status: 503 }, 1);
    const { probe, moves } = openProbe(vendors);
    probe.hear(speech);
    probe.session.finalize();
    await probe.until(() => probe.answers === 1);
    expect(moves).toEqual(["deepgram>openai", "openai>deepgram"]);
    probe.hear(speech);
    probe.session.finalize();
    await probe.until(() => probe.answers === 2);
    expect(probe.finals).toEqual([TEXT, TEXT]);
    expect(openai.asked.forms).toHaveLength(1);
    expect(deepgram.asked.sockets).toBe(2);
  });

  it("skips a vendor at once that failed in other calls", async () => {
    const { deepgram, vendors } = await startFakes();
    const clock = new ManualClock();
    const breakers = new SpeechBreakers(clock).of("org_1");
    for (let i = 0; i < 3; i++)
      breakers.failed("deepgram", new SpeechError("deepgram", "x", { retryable: true }));
    expect(openProbe(vendors, breakers).probe.session.feed).toBe("utterance");
    expect(deepgram.asked.sockets).toBe(0);
    clock.advance(15_000);
    expect(openProbe(vendors, breakers).probe.session.feed).toBe("stream");
  });
});

/** A vendor that does only what the test says. */
class PuppetVendor implements SttVendor {
  readonly name: string;
  readonly feed: SttSession["feed"];
  readonly log: string[] = [];
  #emit: SttOptions["onEvent"] = () => undefined;

  constructor(name: string, feed: SttSession["feed"] = "stream") {
    this.name = name;
    this.feed = feed;
  }

  open({ onEvent }: SttOptions): SttSession {
    this.#emit = onEvent;
    this.log.push("open");
    return {
      feed: this.feed,
      hasInterims: false,
      answersWithinMs: undefined,
      write: (frame) => void this.log.push(`audio ${frame[0]}`),
      finalize: () => void this.log.push("finalize"),
      close: () => void this.log.push("close"),
    };
  }

  say(event: SttEvent): void {
    this.#emit(event);
  }

  final(text: string, more: { fromFinalize?: boolean; endMs?: number } = {}): void {
    this.say({ type: "final", text, fromFinalize: false, ...more });
  }

  /** Fails, and lets the fallback act on it. */
  async fail(retryable = true): Promise<void> {
    this.say({ type: "failed", error: new SpeechError(this.name, "died", { retryable }) });
    await Promise.resolve();
  }
}

const frame = (mark: number): Int16Array => new Int16Array(FRAME_SAMPLES).fill(mark);

describe("what the next recognizer is given", () => {
  it("is the audio without an answer, with the finals that are owed in their places", async () => {
    const [a, b] = [new PuppetVendor("a"), new PuppetVendor("b")];
    const { probe } = openProbe([a, b]);
    for (const mark of [1, 2]) probe.session.write(frame(mark));
    probe.session.finalize();
    probe.session.write(frame(3));
    probe.session.finalize();
    probe.session.write(frame(4));
    a.final("one", { fromFinalize: true });
    await a.fail();
    expect(b.log).toEqual(["open", "audio 3", "finalize", "audio 4"]);
    b.final("two", { fromFinalize: true });
    expect(probe.finals).toEqual(["one", "two"]);
  });

  it("is not the audio whose text is known already", async () => {
    const [a, b] = [new PuppetVendor("a"), new PuppetVendor("b")];
    const { probe } = openProbe([a, b]);
    for (const mark of [1, 2, 3]) probe.session.write(frame(mark));
    a.final("first words", { endMs: 40 });
    a.final("", { endMs: 40 });
    probe.session.finalize();
    await a.fail();
    expect(b.log).toEqual(["open", "audio 3", "finalize"]);
    b.final("last words", { endMs: 20, fromFinalize: true });
    expect(probe.finals).toEqual(["first words", "last words"]);
    expect(probe.events).toHaveLength(2);
  });

  it("is at most half a minute", async () => {
    const [a, b] = [new PuppetVendor("a"), new PuppetVendor("b")];
    const { probe } = openProbe([a, b]);
    for (let i = 0; i < 2_000; i++) probe.session.write(frame(i));
    await a.fail();
    expect(b.log.slice(0, 2)).toEqual(["open", "audio 500"]);
    expect(b.log).toHaveLength(1 + 1_500);
  });

  it("is the rest of a stream up to the end of the utterance, then utterances", async () => {
    const [a, b] = [new PuppetVendor("a"), new PuppetVendor("b", "utterance")];
    const { probe } = openProbe([a, b]);
    probe.session.write(frame(1));
    await a.fail(false);
    expect(probe.session.feed).toBe("stream");
    probe.session.write(frame(2));
    probe.session.finalize();
    expect(probe.session.feed).toBe("utterance");
    expect(b.log).toEqual(["open", "audio 1", "audio 2", "finalize"]);
  });
});

describe("a recognizer that fails", () => {
  it("no longer counts: what it still says is not heard", async () => {
    const [a, b] = [new PuppetVendor("a"), new PuppetVendor("b")];
    const { probe, errors } = openProbe([a, b]);
    probe.session.write(frame(1));
    await a.fail();
    a.final("from the grave");
    await a.fail();
    expect(a.log).toEqual(["open", "audio 1", "close"]);
    expect([probe.events, errors.length]).toEqual([[], 1]);
  });

  it("is reported once, when everybody refused", async () => {
    const [a, b] = [new PuppetVendor("a"), new PuppetVendor("b")];
    const { probe, errors } = openProbe([a, b]);
    await a.fail(false);
    await b.fail(false);
    expect(errors).toHaveLength(2);
    expect(probe.failures).toMatchObject([{ vendor: "b" }]);
    probe.session.write(frame(1));
    probe.session.finalize();
    expect(b.log).toEqual(["open", "close"]);
  });

  it("is asked again after two seconds of audio when nobody else is left, and loses none of it", async () => {
    const a = new PuppetVendor("a");
    const { probe } = openProbe([a]);
    await a.fail();
    for (let i = 1; i < 100; i++) probe.session.write(frame(i));
    probe.session.finalize();
    expect(a.log).toEqual(["open", "close"]);
    probe.session.write(frame(100));
    expect(a.log.filter((entry) => entry.startsWith("audio"))).toHaveLength(100);
    expect(a.log.slice(-2)).toEqual(["finalize", "audio 100"]);
    a.final("back again", { fromFinalize: true });
    expect(probe.finals).toEqual(["back again"]);
    expect(probe.failures).toEqual([]);
  });

  it("is given up after two such rests", async () => {
    const a = new PuppetVendor("a");
    const { probe } = openProbe([a]);
    for (let rests = 0; rests < 3; rests++) {
      expect(probe.failures).toEqual([]);
      await a.fail();
      for (let i = 0; i < 100; i++) probe.session.write(frame(i));
    }
    expect(probe.failures).toHaveLength(1);
    expect(a.log.filter((entry) => entry === "open")).toHaveLength(3);
  });

  it("is asked again each five seconds all the same, and tells when it is back", async () => {
    const a = new PuppetVendor("a");
    const { probe } = openProbe([a]);
    const listenFor = (frames: number): void => {
      for (let i = 0; i < frames; i++) probe.session.write(frame(i));
    };
    for (let rests = 0; rests < 2; rests++) {
      await a.fail();
      listenFor(100);
    }
    for (let rests = 0; rests < 30; rests++) {
      await a.fail();
      listenFor(249);
      expect(a.log.at(-1)).toBe("close");
      listenFor(1);
      expect(a.log.at(-1)).not.toBe("close");
    }
    expect(probe.events.map(({ type }) => type)).toEqual(["failed"]);
    a.final("can you hear me");
    a.final("now");
    expect(probe.events.map(({ type }) => type)).toEqual(["failed", "recovered", "final", "final"]);
  });

  it("is opened again when it had worked and is the only one, but not forever", async () => {
    const a = new PuppetVendor("a");
    const { probe } = openProbe([a]);
    a.final("hello");
    probe.session.write(frame(1));
    await a.fail();
    expect(a.log).toEqual(["open", "audio 1", "open", "close", "audio 1"]);
    expect(probe.failures).toEqual([]);
    for (let i = 0; i < 40 && probe.failures.length === 0; i++) {
      a.say({ type: "interim", text: "h" });
      await a.fail();
    }
    expect(probe.failures).toHaveLength(1);
    expect(a.log.filter((entry) => entry === "open").length).toBeLessThan(30);
  });

  it("is not asked again in this call when it refused", async () => {
    const [a, b] = [new PuppetVendor("a"), new PuppetVendor("b")];
    const clock = new ManualClock();
    const { probe, moves } = openProbe([a, b], new SpeechBreakers(clock).of("org_1"));
    await a.fail(false);
    clock.advance(60_000);
    probe.session.finalize();
    b.final("yes", { fromFinalize: true });
    expect(moves).toEqual(["a>b"]);
  });

  it("may fail while it is being opened", async () => {
    const broken: SttVendor = {
      name: "broken",
      open: (options) => {
        options.onEvent({ type: "failed", error: new SpeechError("broken", "x", { retryable: true }) });
        return new PuppetVendor("inner").open(options);
      },
    };
    const b = new PuppetVendor("b");
    const { probe } = openProbe([broken, b]);
    probe.session.write(frame(1));
    await Promise.resolve();
    expect(b.log).toEqual(["open", "audio 1"]);
  });
});
