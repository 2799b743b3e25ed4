import { systemClock } from "@parley/shared/clock.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeDeepgram, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { type FakeElevenLabs, startFakeElevenLabs } from "../../testkit/fakes/speech/elevenlabs.ts";
import { createFliteVoice } from "../../testkit/fakes/speech/fake-speech.ts";
import { type FakeOpenAi, startFakeOpenAi } from "../../testkit/fakes/speech/openai.ts";
import { SpeechBreakers } from "../speech-breaker.ts";
import { SpeechError } from "../speech-error.ts";
import { createDeepgramTts } from "./deepgram.ts";
import { createElevenLabsTts } from "./elevenlabs.ts";
import { openTtsWithFallback, type TtsChoiceOf } from "./fallback.ts";
import { createOpenAiTts } from "./openai.ts";
import { SpeechRates } from "./spoken-part.ts";
import { listenTo } from "./tts.contract.ts";

const apiKey = "right-key-5d2e";
const SENTENCE =
  "We are open from nine to five on weekdays and until noon on the last Saturday of the month.";
const voice = createFliteVoice();
let deepgram: FakeDeepgram;
let elevenlabs: FakeElevenLabs;
let openai: FakeOpenAi;
let whole: Int16Array;

beforeAll(async () => {
  [deepgram, elevenlabs, openai] = await Promise.all([
    startFakeDeepgram({ apiKey, voice }),
    startFakeElevenLabs({ apiKey, voice }),
    startFakeOpenAi({ apiKey, voice, style: "plain" }),
  ]);
  whole = await voice(SENTENCE);
});
afterAll(async () => {
  await Promise.all([deepgram.close(), elevenlabs.close(), openai.close(), voice.close()]);
});

function open(
  names: ("deepgram" | "elevenlabs" | "openai")[],
  breakers = new SpeechBreakers(new ManualClock()).of("org_1"),
) {
  for (const fake of [deepgram, elevenlabs, openai]) {
    fake.faults.clear();
    fake.asked.texts.length = 0;
  }
  const clock = systemClock;
  const vendors = {
    deepgram: () => createDeepgramTts({ apiKey, url: deepgram.url, clock }),
    elevenlabs: () => createElevenLabsTts({ apiKey, url: elevenlabs.url, clock }),
    openai: () => createOpenAiTts({ apiKey, baseUrl: openai.url, clock }),
  };
  const choices: TtsChoiceOf[] = names.map((name) => ({ vendor: vendors[name](), voice: {} }));
  const moves: string[] = [];
  const errors: string[] = [];
  const abort = new AbortController();
  const rates = new SpeechRates();
  const openReply = () =>
    openTtsWithFallback({
      choices,
      breakers,
      signal: abort.signal,
      rates,
      onError: (error) => errors.push(error.vendor),
      onFallback: (from, to) => moves.push(`${from}>${to}`),
    });
  return { openReply, moves, errors, abort };
}

describe("falling back from one voice to the next", () => {
  it.each([
    ["deepgram", "elevenlabs"],
    ["elevenlabs", "openai"],
    ["openai", "deepgram"],
  ] as const)("goes on with the rest of the clause when %s dies in the middle: %s", async (first, second) => {
    const { openReply, moves } = open([first, second]);
    const fakes = { deepgram, elevenlabs, openai };
    const bytesPerSample = first === "openai" ? 3 : 2;
    const spoken = Math.floor(whole.length / 2);
    fakes[first].faults.set({ kind: "die", afterBytes: spoken * bytesPerSample }, 1);
    const said = await listenTo(openReply(), SENTENCE);
    expect(said.error).toBeUndefined();
    expect(moves).toEqual([`${first}>${second}`]);
    const [rest] = fakes[second].asked.texts;
    expect(SENTENCE.endsWith(` ${rest}`)).toBe(true);
    expect(rest!.length / SENTENCE.length).toBeGreaterThan(0.3);
    expect(rest!.length / SENTENCE.length).toBeLessThan(0.7);
    expect(said.samples / whole.length).toBeGreaterThan(0.8);
    expect(said.samples / whole.length).toBeLessThan(1.25);
  });

  it("says the whole clause with the next voice when nothing of it was heard", async () => {
    const { openReply, moves } = open(["deepgram", "openai"]);
    deepgram.faults.set({ kind: "status", status: 503 });
    expect((await listenTo(openReply(), SENTENCE)).error).toBeUndefined();
    expect(openai.asked.texts).toEqual([SENTENCE]);
    expect(moves).toEqual(["deepgram>openai"]);
  });

  it("keeps the new voice for the answer and asks for the preferred one again in the next", async () => {
    const { openReply } = open(["deepgram", "openai"]);
    deepgram.faults.set({ kind: "status", status: 503 }, 1);
    const reply = openReply();
    await listenTo(reply, "One.");
    await listenTo(reply, "Two.");
    reply.close();
    await listenTo(openReply(), "Three.");
    expect(openai.asked.texts).toEqual(["One.", "Two."]);
    expect(deepgram.asked.texts).toEqual(["Three."]);
  });

  it("skips a dead voice at once, and takes it back by itself", async () => {
    const clock = new ManualClock();
    const { openReply, errors } = open(["deepgram", "openai"], new SpeechBreakers(clock).of("org_1"));
    deepgram.faults.set({ kind: "status", status: 503 });
    for (let i = 0; i < 5; i++) expect((await listenTo(openReply(), "Hello.")).error).toBeUndefined();
    expect(errors).toEqual(["deepgram", "deepgram", "deepgram"]);
    deepgram.faults.clear();
    await listenTo(openReply(), "Still skipped.");
    expect(deepgram.asked.texts).toEqual([]);
    clock.advance(15_000);
    await listenTo(openReply(), "The probe.");
    await listenTo(openReply(), "Back for good.");
    expect(deepgram.asked.texts).toEqual(["The probe.", "Back for good."]);
  });

  it("asks a lone voice once more when it dropped in the middle", async () => {
    const { openReply, errors } = open(["elevenlabs"]);
    elevenlabs.faults.set({ kind: "die", afterBytes: whole.length }, 1);
    const said = await listenTo(openReply(), SENTENCE);
    expect(said.error).toBeUndefined();
    expect(errors).toEqual(["elevenlabs"]);
    expect(elevenlabs.asked.texts).toHaveLength(2);
    expect(said.samples / whole.length).toBeGreaterThan(0.8);
  });

  it("throws when nobody is left, and also for the clauses after", async () => {
    const { openReply, errors } = open(["deepgram", "openai"]);
    deepgram.faults.set({ kind: "status", status: 503 });
    openai.faults.set({ kind: "status", status: 401 });
    const reply = openReply();
    expect((await listenTo(reply, "One.")).error).toMatchObject({ vendor: "openai", retryable: false });
    expect((await listenTo(reply, "Two.")).error).toMatchObject({ vendor: "openai" });
    expect(errors).toEqual(["deepgram", "openai"]);
  });

  it("ends silently when the answer is aborted, and does not count that against the vendor", async () => {
    const { openReply, errors, abort } = open(["deepgram", "openai"]);
    const reply = openReply();
    for await (const _ of reply.say(SENTENCE)) abort.abort();
    expect(await listenTo(reply, "Never said.")).toMatchObject({ samples: 0, error: undefined });
    expect(errors).toEqual([]);
  });
});

/** Speaks a tone for each character, at its own pace; dies after so many milliseconds when told to. */
function toneVoice(name: string, msPerChar: number, asked: string[], diesAfterMs = Number.POSITIVE_INFINITY) {
  const vendor: TtsChoiceOf["vendor"] = {
    name,
    openReply: () => ({
      say: async function* say(text) {
        asked.push(text);
        const samples = new Int16Array(text.length * msPerChar * 16).fill(8_000);
        yield samples.subarray(0, diesAfterMs * 16);
        if (samples.length > diesAfterMs * 16) throw new SpeechError(name, "died", { retryable: true });
      },
      close: () => undefined,
    }),
  };
  return vendor;
}

describe("a voice that changes in mid-sentence", () => {
  const words = "one two three four five six seven eight nine ten";

  it.each([45, 90])(
    "repeats no word and swallows none, once the pace of %i ms a letter is known",
    async (pace) => {
      const rates = new SpeechRates();
      const asked: string[] = [];
      const rest: string[] = [];
      const openReply = (diesAfterMs?: number) =>
        openTtsWithFallback({
          choices: [
            { vendor: toneVoice("first", pace, asked, diesAfterMs), voice: {} },
            { vendor: toneVoice("second", 65, rest), voice: {} },
          ],
          breakers: new SpeechBreakers(new ManualClock()).of("org_1"),
          signal: new AbortController().signal,
          rates,
          onError: () => undefined,
          onFallback: () => undefined,
        });
      await listenTo(openReply(), words);
      const spokenWords = "one two three four ";
      await listenTo(openReply(spokenWords.length * pace), words);
      expect(rest).toEqual([words.slice(spokenWords.length)]);
    },
  );

  it("makes no click at the seam", async () => {
    const reply = openTtsWithFallback({
      choices: [
        { vendor: toneVoice("first", 65, [], 500), voice: {} },
        { vendor: toneVoice("second", 65, []), voice: {} },
      ],
      breakers: new SpeechBreakers(new ManualClock()).of("org_1"),
      signal: new AbortController().signal,
      rates: new SpeechRates(),
      onError: () => undefined,
      onFallback: () => undefined,
    });
    const samples: number[] = [];
    for await (const chunk of reply.say(words)) samples.push(...chunk);
    const seam = samples.slice(500 * 16 - 10, 500 * 16 + 400);
    const steps = seam.slice(1).map((sample, i) => Math.abs(sample - (seam[i] as number)));
    expect(Math.max(...steps)).toBeLessThanOrEqual(110);
    expect(seam).toContain(0);
  });
});
