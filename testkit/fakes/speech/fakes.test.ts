import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { createDeepgramTts } from "@parley/media/tts/deepgram.ts";
import { listenTo } from "@parley/media/tts/tts.contract.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import WebSocket from "ws";
import { flite } from "../../speech.ts";
import { startFakeDeepgram } from "./deepgram.ts";
import { startFakeElevenLabs } from "./elevenlabs.ts";
import { startFakeOpenAi } from "./openai.ts";

function closeOf(socket: WebSocket): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
}

describe("the fakes", () => {
  it("close a Deepgram stream that gets neither audio nor KeepAlive, as the real one does", async () => {
    const fake = await startFakeDeepgram({ apiKey: "k", voice: flite, idleTimeoutMs: 50 });
    onTestFinished(() => fake.close());
    const socket = new WebSocket(`${fake.url}/v1/listen?encoding=linear16&sample_rate=16000`, {
      headers: { authorization: "Token k" },
    });
    expect(await closeOf(socket)).toEqual({ code: 1011, reason: "NET-0001" });
  });

  it("refuse a sixth ElevenLabs context, as the real one does", async () => {
    const fake = await startFakeElevenLabs({ apiKey: "k", voice: flite });
    onTestFinished(() => fake.close());
    const path = "/v1/text-to-speech/ada/multi-stream-input?output_format=pcm_16000";
    const socket = new WebSocket(`${fake.url}${path}`, { headers: { "xi-api-key": "k" } });
    socket.once("open", () => {
      for (let i = 0; i < 6; i++) socket.send(JSON.stringify({ text: "Hello ", context_id: `${i}` }));
    });
    expect(await closeOf(socket)).toEqual({ code: 1008, reason: "max_active_conversations" });
  });

  it("have a model that streams, and dies when told to, as the real one does", async () => {
    const fake = await startFakeOpenAi({ apiKey: "k", voice: flite });
    onTestFinished(() => fake.close());
    const ask = (): Promise<string> =>
      fetch(`${fake.url}/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer k" },
        body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] }),
      }).then((response) => response.text());
    expect(await ask()).toMatch(/"content":"Hi".*\n\n.*"finish_reason":"stop".*\n\ndata: \[DONE\]\n\n$/);
    fake.faults.set({ kind: "die", afterBytes: 0 }, 1);
    await expect(ask()).rejects.toThrow();
  });

  it("can be run by hand, and broken by typing", async () => {
    const child = spawn(process.execPath, ["testkit/fakes/speech/main.ts", "--any-port"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const until = async (start: string): Promise<string> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`no line that begins with ${start}`);
        if (value.startsWith(start)) return value;
      }
    };
    const [, url = "", apiKey = ""] =
      /^DEEPGRAM_URL=(\S+) DEEPGRAM_API_KEY=(\S+)$/.exec(await until("DEEPGRAM_URL")) ?? [];
    await until("# Type");
    const reply = createDeepgramTts({ url, apiKey, clock: systemClock }).openReply({
      signal: new AbortController().signal,
    });
    expect((await listenTo(reply, "Hello there.")).samples).toBeGreaterThan(8_000);
    child.stdin.write("deepgram status 503\n");
    await until("# deepgram");
    expect((await listenTo(reply, "Hello again.")).error).toMatchObject({ retryable: true });
    child.stdin.write("deepgram ok\n");
    await until("# deepgram");
    expect((await listenTo(reply, "Hello again.")).error).toBeUndefined();
  });
});
