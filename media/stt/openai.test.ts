import { systemClock } from "@parley/shared/clock.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { startFakeOpenAi } from "../../testkit/fakes/speech/openai.ts";
import { flite } from "../../testkit/speech.ts";
import { createSttVendors } from "./create.ts";
import { createOpenAiStt } from "./openai.ts";
import {
  describeRemoteSttContract,
  describeSttContract,
  SttProbe,
  type SttUnderTest,
} from "./stt.contract.ts";

const apiKey = "right-key-5d2e";
const TEXT = "I would like to book a table";

async function start(style: "sse" | "plain"): Promise<SttUnderTest & { forms: Record<string, string>[] }> {
  const recognizer = createScriptedRecognizer([TEXT]);
  const fake = await startFakeOpenAi({ apiKey, voice: flite, recognizer, style });
  return {
    speech: await flite(TEXT),
    text: TEXT,
    remote: fake,
    forms: fake.asked.forms,
    vendor: (options) => createOpenAiStt({ apiKey, baseUrl: fake.url, clock: systemClock, ...options }),
    close: () => fake.close(),
  };
}

for (const style of ["sse", "plain"] as const) {
  describeSttContract(`openai (${style})`, () => start(style));
  describeRemoteSttContract(`openai (${style})`, () => start(style));
}

describe("openai's recognizer", () => {
  it("gives the transcript as it grows when the server streams", async () => {
    const stt = await start("sse");
    onTestFinished(() => stt.close());
    const probe = new SttProbe(stt.vendor());
    probe.hear(stt.speech);
    probe.session.finalize();
    await probe.until(() => probe.answers === 1);
    const interims = probe.events.flatMap((event) => (event.type === "interim" ? [event.text.trim()] : []));
    expect(interims).toEqual([
      "I",
      "I would",
      "I would like",
      "I would like to",
      "I would like to book",
      "I would like to book a",
      TEXT,
    ]);
    expect(stt.forms[0]).toMatchObject({ language: "en", model: "gpt-4o-mini-transcribe", stream: "true" });
  });

  it("is left to find the language out where the call's is none of the endpoint's", async () => {
    const stt = await start("sse");
    onTestFinished(() => stt.close());
    // As Deepgram calls any language.
    for (const language of ["multi", ""]) {
      const finals: string[] = [];
      const session = stt.vendor().open({
        language,
        onEvent: (event) => void (event.type === "final" && finals.push(event.text)),
      });
      onTestFinished(() => session.close());
      session.write(stt.speech);
      session.finalize();
      await expect.poll(() => finals).toEqual([TEXT]);
    }
    expect(stt.forms.map(({ language }) => language)).toEqual([undefined, undefined]);
  });

  it("does not send less than the endpoint takes", async () => {
    const stt = await start("plain");
    onTestFinished(() => stt.close());
    const probe = new SttProbe(stt.vendor());
    probe.session.write(new Int16Array(1_000));
    probe.session.finalize();
    await probe.until(() => probe.answers === 1);
    expect(stt.forms).toEqual([]);
  });

  it("needs no key for a server of one's own", () => {
    const vendorsOf = (env: Record<string, string>) => [...createSttVendors(loadConfig(env).speech).keys()];
    expect(vendorsOf({})).toEqual(["client"]);
    const local = { OPENAI_BASE_URL: "http://127.0.0.1:8000/v1/" };
    expect(vendorsOf({ ...local, STT_COMMAND: "recognize {wav}", DEEPGRAM_API_KEY: "k" })).toEqual([
      "client",
      "command",
      "openai",
      "deepgram",
    ]);
  });
});
