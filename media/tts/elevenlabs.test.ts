import { systemClock } from "@parley/shared/clock.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type FakeElevenLabs,
  type FakeElevenLabsOptions,
  startFakeElevenLabs,
} from "../../testkit/fakes/speech/elevenlabs.ts";
import { createFliteVoice } from "../../testkit/fakes/speech/fake-speech.ts";
import type { CharTime } from "./char-times.ts";
import { createElevenLabsTts } from "./elevenlabs.ts";
import {
  describeRemoteTtsContract,
  describeTtsContract,
  listenTo,
  type TtsUnderTest,
} from "./tts.contract.ts";

const apiKey = "right-key-5d2e";

async function start(
  overrides: Partial<FakeElevenLabsOptions> = {},
): Promise<TtsUnderTest & { fake: FakeElevenLabs }> {
  const voice = createFliteVoice();
  const fake = await startFakeElevenLabs({ apiKey, voice, ...overrides });
  return {
    fake,
    remote: fake,
    vendor: (options) => createElevenLabsTts({ apiKey, url: fake.url, clock: systemClock, ...options }),
    close: async () => {
      await fake.close();
      await voice.close();
    },
  };
}

describeTtsContract("elevenlabs", start);
describeRemoteTtsContract("elevenlabs", start);

describe("elevenlabs' voice", () => {
  const signal = new AbortController().signal;

  it("is asked for its speed in each context, within what it takes", async () => {
    const { fake, vendor, close } = await start();
    onTestFinished(close);
    for (const speed of [1, 1.1, 0.5, 2]) {
      const reply = vendor().openReply({ speed, signal });
      await listenTo(reply, "Hello.");
      reply.close();
    }
    expect(fake.asked.speeds).toEqual([1.1, 0.7, 1.2]);
  });

  it("tells when each character is said, over all the chunks of each clause", async () => {
    const { vendor, close } = await start();
    onTestFinished(close);
    const reply = vendor().openReply({ signal });
    for (const text of ["Good morning to you.", "How can I help?"]) {
      const told: CharTime[] = [];
      let samples = 0;
      const times = {
        said: (time: CharTime) => told.push(time),
        unusable: (why: string) => expect.fail(why),
      };
      for await (const chunk of reply.say(text, times)) samples += chunk.length;
      expect(told).toHaveLength(text.length);
      for (const [i, { endChar, endSample }] of told.entries()) {
        expect(endChar).toBe(text[i] === " " ? i : i + 1);
        // To a millisecond or two: the vendor's times are whole ones. One that two chunks share is told to the first one's end.
        expect(endSample).toBeLessThanOrEqual(((i + 1) / text.length) * samples + 32);
        expect(endSample).toBeGreaterThan((i / text.length) * samples - 32);
      }
    }
    reply.close();
  });

  it("tells no times where the vendor gives none, and speaks all the same", async () => {
    const { vendor, close } = await start({ times: null });
    onTestFinished(close);
    const reply = vendor().openReply({ signal });
    const told: unknown[] = [];
    const times = { said: (time: CharTime) => told.push(time), unusable: (why: string) => told.push(why) };
    let samples = 0;
    for await (const chunk of reply.say("Hello.", times)) samples += chunk.length;
    expect(samples).toBeGreaterThan(1_000);
    expect(told).toEqual([]);
    reply.close();
  });

  it("keeps one socket for all clauses of an answer, more than it has contexts", async () => {
    const { fake, vendor, close } = await start();
    onTestFinished(close);
    const reply = vendor().openReply({ signal });
    for (const text of ["One.", "Two.", "Three.", "Four.", "Five.", "Six.", "Seven."]) {
      expect((await listenTo(reply, text)).error).toBeUndefined();
    }
    expect(fake.asked).toMatchObject({
      sockets: 1,
      texts: ["One.", "Two.", "Three.", "Four.", "Five.", "Six.", "Seven."],
    });
    reply.close();
  });

  it("opens a new socket when the old one was closed while the brain was silent", async () => {
    const { fake, vendor, close } = await start({ inactivityTimeoutMs: 50 });
    onTestFinished(close);
    const reply = vendor().openReply({ signal });
    expect((await listenTo(reply, "First.")).error).toBeUndefined();
    await fake.untilNoSockets();
    expect((await listenTo(reply, "Second.")).error).toBeUndefined();
    expect(fake.asked.sockets).toBe(2);
    reply.close();
  });

  it("does not retry a voice that does not exist", async () => {
    const { vendor, close } = await start();
    onTestFinished(close);
    const reply = vendor().openReply({ voice: "nobody", signal });
    expect((await listenTo(reply, "Hello.")).error).toMatchObject({ retryable: false });
    reply.close();
  });

  it("retries a model that is overloaded", async () => {
    const { vendor, close } = await start();
    onTestFinished(close);
    const reply = vendor().openReply({ voice: "crowded", signal });
    expect((await listenTo(reply, "Hello.")).error).toMatchObject({ retryable: true });
    reply.close();
  });
});
