import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeDeepgram, startFakeDeepgram } from "../testkit/fakes/speech/deepgram.ts";
import { type FakeElevenLabs, startFakeElevenLabs } from "../testkit/fakes/speech/elevenlabs.ts";
import { createFliteVoice, createScriptedRecognizer } from "../testkit/fakes/speech/fake-speech.ts";
import { type FakeOpenAi, startFakeOpenAi } from "../testkit/fakes/speech/openai.ts";
import { TestTelephony } from "../testkit/telephony.ts";

const apiKey = "key-of-the-operator";
const voice = createFliteVoice();

let openai: FakeOpenAi;
let deepgram: FakeDeepgram;
let elevenlabs: FakeElevenLabs;
let phones: TestTelephony;
let lastNumber = 700;
beforeAll(async () => {
  const recognizer = createScriptedRecognizer(["Good morning."]);
  [openai, deepgram, elevenlabs] = await Promise.all([
    startFakeOpenAi({ apiKey, voice, recognizer }),
    startFakeDeepgram({ apiKey, voice, recognizer }),
    startFakeElevenLabs({ apiKey, voice }),
  ]);
  const env = {
    OPENAI_BASE_URL: openai.url,
    OPENAI_API_KEY: apiKey,
    DEEPGRAM_URL: deepgram.url,
    DEEPGRAM_API_KEY: apiKey,
    ELEVENLABS_URL: elevenlabs.url,
    ELEVENLABS_API_KEY: apiKey,
  };
  phones = await TestTelephony.start({ env });
});
afterAll(async () => {
  await phones.close();
  await Promise.all([openai, deepgram, elevenlabs, voice].map((vendor) => vendor.close()));
});

/** A phone is called by an agent with these settings, is spoken to, and says something. */
async function call(settings: Record<string, unknown>): Promise<void> {
  lastNumber += 1;
  const to = phones.phone(`+12025550${lastNumber}`, {
    ringMs: 50,
    outcome: "answers",
    steps: [
      { do: "listen", quietMs: 1_500, withinMs: 10_000 },
      { do: "say", text: "Good morning." },
      { do: "listen", quietMs: 1_500, withinMs: 10_000 },
      { do: "hangUp" },
    ],
  });
  const agentId = await phones.agent({ firstResponse: "Hello.", ...settings });
  const { sessionId } = await phones.dial(to, { agentId });
  const { transcript } = await phones.untilStatus(sessionId, "completed");
  expect(transcript.map(({ text }) => text)).toEqual(["Hello.", "Good morning.", "I hear you."]);
}

/** The last request to a vendor whose path begins so. */
function lastTo({ paths }: { paths: readonly string[] }, path: string) {
  const { pathname, searchParams } = new URL(
    paths.findLast((one) => one.startsWith(path)) ?? "/",
    "http://fake",
  );
  return { pathname, ...Object.fromEntries(searchParams) };
}
const deepgramVoice = () => lastTo(deepgram, "/v1/speak");
const deepgramEars = () => lastTo(deepgram, "/v1/listen");
const elevenlabsVoice = () => lastTo(elevenlabs, "/v1/text-to-speech");
const elevenlabsPath = (id: string) => ({ pathname: `/v1/text-to-speech/${id}/multi-stream-input` });

describe("what an agent's settings say of its voice and its ears", () => {
  it.each<[string, object, object, () => object, object, () => object, object]>([
    [
      "openai",
      { vendor: "openai", voice: "verse", model: "tts-1-hd" },
      { vendor: "openai", language: "de-DE", model: "whisper-1" },
      () => openai.asked.voices.at(-1) ?? {},
      { voice: "verse", model: "tts-1-hd" },
      () => openai.asked.forms.at(-1) ?? {},
      // The endpoint takes ISO 639-1.
      { language: "de", model: "whisper-1" },
    ],
    [
      "openai, which has its own where nothing is set",
      { vendor: "openai" },
      { vendor: "openai" },
      () => openai.asked.voices.at(-1) ?? {},
      { voice: "alloy", model: "gpt-4o-mini-tts" },
      () => openai.asked.forms.at(-1) ?? {},
      { language: "en", model: "gpt-4o-mini-transcribe" },
    ],
    [
      "deepgram",
      { vendor: "deepgram", voice: "aura-2-zeus-en" },
      { vendor: "deepgram", language: "fr-CA", model: "nova-2" },
      deepgramVoice,
      { model: "aura-2-zeus-en" },
      deepgramEars,
      { language: "fr-CA", model: "nova-2" },
    ],
    [
      "deepgram, whose voices are models",
      { vendor: "deepgram", model: "aura-2-orion-en" },
      { vendor: "deepgram" },
      deepgramVoice,
      { model: "aura-2-orion-en" },
      deepgramEars,
      { language: "en", model: "nova-3" },
    ],
    [
      "elevenlabs, while deepgram listens",
      { vendor: "elevenlabs", voice: "voice-of-ada", model: "eleven_v3" },
      { vendor: "deepgram", language: "es" },
      elevenlabsVoice,
      { ...elevenlabsPath("voice-of-ada"), model_id: "eleven_v3" },
      deepgramEars,
      { language: "es" },
    ],
    [
      "elevenlabs, and to what takes the place of a client that recognizes on a phone",
      { vendor: "elevenlabs" },
      { vendor: "client", language: "de" },
      elevenlabsVoice,
      { ...elevenlabsPath("JBFqnCBsd6RMkjVDRZzb"), model_id: "eleven_flash_v2_5" },
      () => openai.asked.forms.at(-1) ?? {},
      { language: "de", model: "gpt-4o-mini-transcribe" },
    ],
  ])(
    "reaches %s",
    async (...[, tts, stt, spokenTo, asVoice, listenedTo, asEars]) => {
      await call({ tts: [tts], stt: [stt] });
      expect(spokenTo()).toMatchObject(asVoice);
      expect(listenedTo()).toMatchObject(asEars);
    },
    40_000,
  );
});
