import { systemClock } from "@parley/shared/clock.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { type FakeDeepgramOptions, startFakeDeepgram } from "../../testkit/fakes/speech/deepgram.ts";
import { createScriptedRecognizer } from "../../testkit/fakes/speech/fake-speech.ts";
import { flite } from "../../testkit/speech.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { createDeepgramStt } from "./deepgram.ts";
import {
  describeRemoteSttContract,
  describeSttContract,
  SttProbe,
  type SttUnderTest,
} from "./stt.contract.ts";

const apiKey = "right-key-5d2e";
const TEXT = "I would like to book a table";

async function start(overrides: Partial<FakeDeepgramOptions> = {}): Promise<SttUnderTest> {
  const fake = await startFakeDeepgram({
    apiKey,
    voice: flite,
    recognizer: createScriptedRecognizer([TEXT]),
    ...overrides,
  });
  return {
    speech: await flite(TEXT),
    text: TEXT,
    remote: fake,
    vendor: (options) => createDeepgramStt({ apiKey, url: fake.url, clock: systemClock, ...options }),
    close: () => fake.close(),
  };
}

describeSttContract("deepgram", start);
describeRemoteSttContract("deepgram", start);

/** A Deepgram whose every word the test chooses, and a clock that only the test moves. */
async function startScript() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  const clock = new ManualClock();
  const sent: string[] = [];
  let wake = (): void => undefined;
  const client = new Promise<{ send(message: string): void; close(code: number): void }>((resolve) => {
    server.on("connection", (socket) => {
      socket.on("message", (data, isBinary) => {
        sent.push(isBinary ? "audio" : (JSON.parse(String(data)) as { type: string }).type);
        wake();
      });
      resolve(socket);
    });
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const probe = new SttProbe(createDeepgramStt({ apiKey, url: `http://127.0.0.1:${port}`, clock }));
  onTestFinished(() => {
    probe.session.close();
    server.close();
  });
  const socket = await client;
  const got = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return {
    probe,
    clock,
    sent,
    /** Writes a frame and waits until it arrived: from then on the socket is open on both sides. */
    write: async () => {
      const before = sent.length;
      probe.session.write(new Int16Array(FRAME_SAMPLES));
      await got(() => sent.length > before);
    },
    finalize: async () => {
      const before = sent.length;
      probe.session.finalize();
      await got(() => sent.length > before);
    },
    sentBy: (type: string) => got(() => sent.includes(type)),
    say: async (text: string, more: Record<string, unknown> = {}) => {
      const before = probe.events.length;
      const channel = { alternatives: [{ transcript: text }] };
      socket.send(
        JSON.stringify({ type: "Results", start: 0, duration: 1, is_final: false, channel, ...more }),
      );
      await probe.until(() => probe.events.length > before);
    },
    sayRaw: (message: string) => socket.send(message),
    drop: (code: number) => socket.close(code),
  };
}

describe("deepgram's recognizer", () => {
  it("gives interim text while the caller speaks", async () => {
    const stt = await start();
    onTestFinished(() => stt.close());
    const probe = new SttProbe(stt.vendor());
    probe.hear(stt.speech);
    await probe.until(() => probe.events.some((event) => event.type === "interim"));
    const [first] = probe.events.filter((event) => event.type === "interim");
    expect(TEXT.startsWith(first?.text ?? "-")).toBe(true);
    probe.session.close();
  });

  it("answers a finalize that Deepgram does not, with the text that was open", async () => {
    const script = await startScript();
    await script.write();
    await script.say("five five");
    await script.finalize();
    expect(script.probe.answers).toBe(0);
    script.clock.advance(1_500);
    expect(script.probe.events.at(-1)).toEqual({
      type: "final",
      text: "five five",
      fromFinalize: true,
      endMs: 1_000,
    });
  });

  it("does not wait long when no text is open", async () => {
    const script = await startScript();
    await script.write();
    await script.say("Yes.", { is_final: true, speech_final: true });
    await script.finalize();
    script.clock.advance(499);
    expect(script.probe.answers).toBe(0);
    script.clock.advance(1);
    expect(script.probe.answers).toBe(1);
    expect(script.probe.finals).toEqual(["Yes."]);
  });

  it("does not give the same words again when Deepgram finalizes late", async () => {
    const script = await startScript();
    await script.write();
    await script.say("five five");
    await script.finalize();
    script.clock.advance(1_500);
    await script.say("five five", { is_final: true, from_finalize: true });
    await script.say("seven", { start: 1, is_final: true });
    expect(script.probe.finals).toEqual(["five five", "seven"]);
    expect(script.probe.answers).toBe(1);
  });

  it("does not take a late answer to one finalize for the answer to the next", async () => {
    const script = await startScript();
    await script.write();
    await script.say("five five");
    await script.finalize();
    script.clock.advance(1_500);
    await script.write();
    await script.finalize();
    await script.say("five five", { is_final: true, from_finalize: true });
    expect(script.probe.answers).toBe(1);
    await script.say("seven", { start: 1, is_final: true, from_finalize: true });
    expect(script.probe.answers).toBe(2);
    expect(script.probe.events.at(-1)).toMatchObject({ type: "final", text: "seven", fromFinalize: true });
  });

  it("gives open text at the end of an utterance once, not again with the next one", async () => {
    const script = await startScript();
    await script.write();
    await script.say("so what");
    script.sayRaw(JSON.stringify({ type: "UtteranceEnd", last_word_end: 1 }));
    await script.probe.until(() => script.probe.finals.length === 1);
    script.sayRaw(JSON.stringify({ type: "UtteranceEnd", last_word_end: 1 }));
    await script.say("else", { start: 1, is_final: true });
    expect(script.probe.finals).toEqual(["so what", "else"]);
  });

  it("gives words that follow on the last ones, though the sums of their seconds differ in the last digit", async () => {
    const script = await startScript();
    await script.write();
    // 1.2 + 2.1 is 3.3000000000000003.
    await script.say("swimming lessons", { start: 1.2, duration: 2.1, is_final: true, speech_final: true });
    await script.say("for children", { start: 3.3, is_final: true });
    expect(script.probe.finals).toEqual(["swimming lessons", "for children"]);
  });

  it("keeps the socket alive while there is no audio", async () => {
    const script = await startScript();
    await script.write();
    script.clock.advance(3_000);
    await script.write();
    expect(script.sent).toEqual(["audio", "audio"]);
    script.clock.advance(4_000);
    await script.sentBy("KeepAlive");
    script.clock.advance(4_000);
    await script.write();
    expect(script.sent).toEqual(["audio", "audio", "KeepAlive", "KeepAlive", "audio"]);
  });

  it("gives up a vendor that says nothing about all the audio it gets", async () => {
    const script = await startScript();
    await script.write();
    script.clock.advance(5_001);
    expect(script.probe.failures).toEqual([]);
    script.probe.session.write(new Int16Array(FRAME_SAMPLES));
    expect(script.probe.failures).toMatchObject([{ retryable: true }]);
  });

  it("skips what it does not know or cannot read", async () => {
    const script = await startScript();
    await script.write();
    for (const message of ["{", "[]", "null", '{"type":"Novelty"}', '{"type":"Metadata"}'])
      script.sayRaw(message);
    script.sayRaw('{"type":"Results","channel":{"alternatives":[]},"start":"x"}');
    await script.say("still there", { is_final: true });
    expect(script.probe.events).toHaveLength(1);
  });

  it("tells a refusal of the audio from a dropped connection", async () => {
    const refused = await startScript();
    await refused.write();
    refused.drop(1008);
    await refused.probe.until(() => refused.probe.failures.length > 0);
    expect(refused.probe.failures).toMatchObject([{ retryable: false }]);
    const dropped = await startScript();
    await dropped.write();
    dropped.drop(1011);
    await dropped.probe.until(() => dropped.probe.failures.length > 0);
    expect(dropped.probe.failures).toMatchObject([{ retryable: true }]);
  });

  it("says goodbye when the call ends", async () => {
    const script = await startScript();
    await script.write();
    script.probe.session.close();
    await script.sentBy("CloseStream");
  });
});
