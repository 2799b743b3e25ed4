import type { IncomingMessage, ServerResponse } from "node:http";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import { answerChat, echoModel } from "../chat-completions.ts";
import { type FakeServer, readBody, sendJson, startFakeServer } from "./fake-server.ts";
import { bytesAt, createScriptedRecognizer, type FakeRecognizer, type FakeVoice } from "./fake-speech.ts";
import { type Fault, FaultSwitch } from "./faults.ts";
import { sendAudio } from "./send-audio.ts";

const SPEECH_RATE_HZ = 24_000;
const MAX_INPUT_CHARS = 4_096;

interface SpeechRequest {
  readonly input?: string;
  readonly response_format?: string;
  readonly voice?: string;
  readonly model?: string;
  readonly speed?: number;
}

export interface FakeOpenAiOptions {
  /** Undefined emulates a local server without keys. */
  readonly apiKey?: string;
  readonly voice: FakeVoice;
  readonly recognizer?: FakeRecognizer;
  readonly port?: number;
  /**
   * "sse" streams events where it can; "plain" sends audio as bytes and transcripts as JSON, like many local
   * servers.
   */
  readonly style?: "sse" | "plain";
}

export interface FakeOpenAi extends FakeServer {
  readonly faults: FaultSwitch;
  /** Texts to synthesize, their voice instructions, and the fields of each transcription. */
  readonly asked: {
    readonly texts: string[];
    readonly voices: {
      readonly voice: string | undefined;
      readonly model: string | undefined;
      readonly speed?: number;
    }[];
    readonly forms: Record<string, string>[];
  };
}

/** OpenAI's `/audio/speech`, `/audio/transcriptions` and `/chat/completions`; its model repeats what it heard. */
export async function startFakeOpenAi(options: FakeOpenAiOptions): Promise<FakeOpenAi> {
  const faults = new FaultSwitch();
  const asked: FakeOpenAi["asked"] = { texts: [], voices: [], forms: [] };
  const recognizer = options.recognizer ?? createScriptedRecognizer(["hello from the fake recognizer"]);
  const style = options.style ?? "sse";

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = faults.take();
    const body = await readBody(request);
    const { authorization = "", "content-type": contentType = "" } = request.headers;
    if (fault?.kind === "hang" || fault?.kind === "mute") return;
    if (fault?.kind === "status") return sendError(response, fault.status, "fault");
    if (options.apiKey !== undefined && authorization !== `Bearer ${options.apiKey}`) {
      return sendError(response, 401, `Incorrect API key provided: ${authorization}`);
    }
    if (request.url === "/v1/audio/speech") {
      const { input, response_format, voice, model, speed } = JSON.parse(body.toString()) as SpeechRequest;
      if (!input || input.length > MAX_INPUT_CHARS || response_format !== "pcm") {
        return sendError(response, 400, "bad input");
      }
      asked.texts.push(input);
      asked.voices.push({ voice, model, ...(speed === undefined ? {} : { speed }) });
      const audio = await bytesAt(SPEECH_RATE_HZ, await options.voice(input));
      await sendSpeech(response, audio, { style, fault });
    } else if (request.url === "/v1/audio/transcriptions") {
      const form = await new Response(body, { headers: { "content-type": contentType } }).formData();
      const file = form.get("file");
      if (!(file instanceof File) || !form.has("model")) return sendError(response, 400, "no file or model");
      const language = form.get("language");
      if (language !== null && !/^[a-z]{2,3}$/.test(String(language)))
        return sendError(
          response,
          400,
          `Invalid language '${language}'. Language parameter must be specified in ISO-639-1 format.`,
        );
      const fields = [...form].filter(([, value]) => typeof value === "string");
      asked.forms.push(Object.fromEntries(fields) as Record<string, string>);
      const bytes = new Uint8Array(await file.arrayBuffer());
      const isWav = file.name.endsWith(".wav");
      if (!isWav && !recognizer.file) return sendError(response, 400, "Invalid file format.");
      const text = isWav
        ? await recognizer.final(readWav(bytes).samples)
        : ((await recognizer.file?.(bytes, file.type)) ?? "");
      if (style === "sse" && form.get("stream") === "true") sendDeltas(response, text, fault);
      else if (fault?.kind === "die") response.destroy();
      else sendJson(response, 200, { text });
    } else if (request.url === "/v1/chat/completions") {
      const then = fault?.kind === "die" || fault?.kind === "stall" ? fault.kind : undefined;
      answerChat(body.toString(), response, (chat) => ({ ...echoModel(chat), ...(then ? { then } : {}) }));
    } else {
      sendError(response, 404, "no such path");
    }
  };

  const server = await startFakeServer({ port: options.port, onRequest });
  return { ...server, url: `${server.url}/v1`, faults, asked };
}

async function sendSpeech(
  response: ServerResponse,
  audio: Uint8Array,
  { style, fault }: { style: "sse" | "plain"; fault: Fault | undefined },
): Promise<void> {
  const isSse = style === "sse";
  response.writeHead(200, { "content-type": isSse ? "text/event-stream; charset=utf-8" : "audio/pcm" });
  const sink = {
    write: (bytes: Uint8Array) => {
      const delta = { type: "speech.audio.delta", audio: Buffer.from(bytes).toString("base64") };
      response.write(isSse ? sse(delta) : bytes);
    },
    destroy: () => response.destroy(),
    get isGone() {
      return response.destroyed;
    },
  };
  if (!(await sendAudio(sink, audio, fault))) return;
  if (isSse) response.write(sse({ type: "speech.audio.done", usage: { total_tokens: 1 } }));
  response.end();
}

/** A fault strikes after the first words. */
function sendDeltas(response: ServerResponse, text: string, fault: Fault | undefined): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const words = text.split(/(?<= )/);
  const sent = fault === undefined ? words : words.slice(0, 2);
  for (const delta of sent) response.write(sse({ type: "transcript.text.delta", delta }));
  if (fault?.kind === "die") setImmediate(() => response.destroy());
  if (fault !== undefined) return;
  response.write(sse({ type: "transcript.text.done", text }));
  response.end();
}

function sse(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, code: "fake" } });
}
