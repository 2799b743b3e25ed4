import { systemClock } from "@parley/shared/clock.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { startFakeServer } from "../../testkit/fakes/speech/fake-server.ts";
import { createFliteVoice } from "../../testkit/fakes/speech/fake-speech.ts";
import { createDeepgramTts } from "./deepgram.ts";
import {
  describeRemoteTtsContract,
  describeTtsContract,
  listenTo,
  type TtsUnderTest,
} from "./tts.contract.ts";

const apiKey = "right-key-5d2e";

async function start(): Promise<TtsUnderTest & { texts: readonly string[] }> {
  const voice = createFliteVoice();
  const fake = await startFakeDeepgram({ apiKey, voice });
  return {
    remote: fake,
    texts: fake.asked.texts,
    vendor: (options) => createDeepgramTts({ apiKey, url: fake.url, clock: systemClock, ...options }),
    close: async () => {
      await fake.close();
      await voice.close();
    },
  };
}

describeTtsContract("deepgram", start);
describeRemoteTtsContract("deepgram", start);

describe("deepgram's voice", () => {
  const signal = new AbortController().signal;

  it("is a model, and one it does not have is not retried", async () => {
    const tts = await start();
    onTestFinished(() => tts.close());
    const unknown = tts.vendor().openReply({ voice: "no-such-voice", signal });
    expect((await listenTo(unknown, "Hello.")).error).toMatchObject({ retryable: false });
    const known = tts.vendor().openReply({ voice: "aura-2-zeus-en", signal });
    expect((await listenTo(known, "Hello.")).samples).toBeGreaterThan(4_000);
  });

  it("gets a text that is too long in parts of whole sentences", async () => {
    // A voice that is quick: three minutes of real speech take longer than a first byte may.
    const fake = await startFakeDeepgram({ apiKey, voice: async () => new Int16Array(4_800) });
    onTestFinished(() => fake.close());
    const vendor = createDeepgramTts({ apiKey, url: fake.url, clock: systemClock });
    const sentence = "Nothing of it may be lost. ";
    const said = await listenTo(vendor.openReply({ signal }), sentence.repeat(80));
    expect(said.error).toBeUndefined();
    expect(fake.asked.texts.map((text) => text.length <= 2_000)).toEqual([true, true]);
    expect(fake.asked.texts.join(" ")).toBe(sentence.repeat(80).trim());
  });

  it.each([
    ["application/json", false],
    ["text/html; charset=utf-8", false],
    ["audio/l16;rate=16000;channels=1", true],
    ["application/octet-stream", true],
  ])("plays a body of %s: %s", async (contentType, isPlayed) => {
    const server = await startFakeServer({
      onRequest: async (_request, response) => {
        response.writeHead(200, { "content-type": contentType }).end(Buffer.alloc(4_800));
      },
    });
    onTestFinished(() => server.close());
    const vendor = createDeepgramTts({ apiKey, url: server.url, clock: systemClock });
    const said = await listenTo(vendor.openReply({ signal }), "Hello.");
    expect(said.samples > 0).toBe(isPlayed);
    expect(said.error?.retryable).toBe(isPlayed ? undefined : false);
  });
});
