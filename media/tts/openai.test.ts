import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeServer } from "../../testkit/fakes/speech/fake-server.ts";
import { createFliteVoice } from "../../testkit/fakes/speech/fake-speech.ts";
import { startFakeOpenAi } from "../../testkit/fakes/speech/openai.ts";
import { createTtsVendors } from "./create.ts";
import { createOpenAiTts } from "./openai.ts";
import {
  describeRemoteTtsContract,
  describeTtsContract,
  listenTo,
  type TtsUnderTest,
} from "./tts.contract.ts";

const apiKey = "right-key-5d2e";

async function start(style: "sse" | "plain"): Promise<TtsUnderTest> {
  const voice = createFliteVoice();
  const fake = await startFakeOpenAi({ apiKey, voice, style });
  return {
    remote: fake,
    vendor: (options) => createOpenAiTts({ apiKey, baseUrl: fake.url, clock: systemClock, ...options }),
    close: async () => {
      await fake.close();
      await voice.close();
    },
  };
}

for (const style of ["sse", "plain"] as const) {
  describeTtsContract(`openai (${style})`, () => start(style));
  describeRemoteTtsContract(`openai (${style})`, () => start(style));
}

describe("openai's voice", () => {
  it("is asked for its speed where it is not the voice's own", async () => {
    const fake = await startFakeOpenAi({
      voice: async () => new Int16Array(1_600).fill(900),
      style: "plain",
    });
    onTestFinished(() => fake.close());
    const vendor = createOpenAiTts({ baseUrl: fake.url, clock: systemClock });
    const { signal } = new AbortController();
    for (const speed of [1, 1.5]) await listenTo(vendor.openReply({ speed, signal }), "Hello.");
    expect(fake.asked.voices.map(({ speed }) => speed)).toEqual([undefined, 1.5]);
  });

  it.each([
    ["application/json", false],
    ["text/html; charset=utf-8", false],
    ["audio/pcm", true],
    ["application/octet-stream", true],
  ])("plays a body of %s: %s", async (contentType, isPlayed) => {
    const server = await startFakeServer({
      onRequest: async (_request, response) => {
        response.writeHead(200, { "content-type": contentType }).end(Buffer.alloc(4_800));
      },
    });
    onTestFinished(() => server.close());
    const vendor = createOpenAiTts({ baseUrl: server.url, clock: systemClock });
    const said = await listenTo(vendor.openReply({ signal: new AbortController().signal }), "Hello.");
    expect(said.samples > 0).toBe(isPlayed);
    expect(said.error?.retryable).toBe(isPlayed ? undefined : false);
  });
});

describe("the configured voices", () => {
  const vendorsOf = (env: Record<string, string>) => [...createTtsVendors(loadConfig(env).speech).keys()];

  it("are flite and those with a key, or with a local server", () => {
    expect(vendorsOf({})).toEqual(["flite"]);
    expect(vendorsOf({ OPENAI_BASE_URL: "http://127.0.0.1:8000/v1" })).toEqual(["flite", "openai"]);
    const withKeys = { DEEPGRAM_API_KEY: "k", ELEVENLABS_API_KEY: "k" };
    expect(vendorsOf(withKeys)).toEqual(["flite", "deepgram", "elevenlabs"]);
  });

  it("do not start with a key that no header can carry", () => {
    expect(() => vendorsOf({ DEEPGRAM_API_KEY: "secret\nkey" })).toThrow(
      "the key for deepgram has a character",
    );
  });
});
