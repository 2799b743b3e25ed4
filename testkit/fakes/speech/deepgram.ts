import type { IncomingMessage, ServerResponse } from "node:http";
import { LiveStream } from "./deepgram-live.ts";
import { type FakeServer, readBody, sendJson, startFakeServer, type Upgrade } from "./fake-server.ts";
import { bytesAt, createScriptedRecognizer, type FakeRecognizer, type FakeVoice } from "./fake-speech.ts";
import { FaultSwitch } from "./faults.ts";
import { sendAudio } from "./send-audio.ts";

/** Deepgram closes a stream without audio or KeepAlive for this long. */
const IDLE_TIMEOUT_MS = 10_000;
const MAX_TEXT_CHARS = 2_000;

export interface FakeDeepgramOptions {
  readonly apiKey: string;
  readonly voice: FakeVoice;
  readonly recognizer?: FakeRecognizer;
  readonly port?: number;
  readonly idleTimeoutMs?: number;
}

export interface FakeDeepgram extends FakeServer {
  readonly faults: FaultSwitch;
  /** Types of text messages received on live sockets, in order. */
  readonly messages: readonly string[];
  /** Live sockets opened and texts to synthesize, so far. */
  readonly asked: { sockets: number; readonly texts: string[] };
}

/** Deepgram's `/v1/listen` and `/v1/speak`, as documented at developers.deepgram.com. */
export async function startFakeDeepgram(options: FakeDeepgramOptions): Promise<FakeDeepgram> {
  const faults = new FaultSwitch();
  const messages: string[] = [];
  const asked = { sockets: 0, texts: [] as string[] };
  const recognizer = options.recognizer ?? createScriptedRecognizer(["hello from the fake recognizer"]);
  const isKnown = (request: IncomingMessage): boolean =>
    request.headers.authorization === `Token ${options.apiKey}`;

  const listen = (request: IncomingMessage, upgrade: Upgrade): void => {
    asked.sockets += 1;
    const fault = faults.take();
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://fake");
    if (fault?.kind === "hang") return;
    if (fault?.kind === "status") upgrade.refuse(fault.status, { err_code: "FAULT" });
    else if (pathname !== "/v1/listen") upgrade.refuse(404, { err_code: "NOT_FOUND" });
    else if (!isKnown(request)) upgrade.refuse(401, invalidAuth(request));
    else if (query.get("encoding") !== "linear16" || query.get("sample_rate") !== "16000") {
      upgrade.refuse(400, { err_code: "INVALID_QUERY_PARAMETER" });
    } else {
      const idleTimeoutMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
      const onMessage = (type: string): void => void messages.push(type);
      upgrade.accept(
        (socket) => new LiveStream(socket, { recognizer, query, fault, idleTimeoutMs, onMessage }),
      );
    }
  };

  const speak = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = faults.take();
    const body = await readBody(request);
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://fake");
    if (fault?.kind === "hang" || fault?.kind === "mute") return;
    if (fault?.kind === "status") return sendJson(response, fault.status, { err_code: "FAULT" });
    if (pathname === "/v1/listen" && recognizer.file && isKnown(request)) {
      const transcript = await recognizer.file(body, request.headers["content-type"] ?? "");
      return sendJson(response, 200, { results: { channels: [{ alternatives: [{ transcript }] }] } });
    }
    if (pathname !== "/v1/speak") return sendJson(response, 404, { err_code: "NOT_FOUND" });
    if (!isKnown(request)) return sendJson(response, 401, invalidAuth(request));
    const { text } = JSON.parse(body.toString()) as { text?: string };
    const isRaw = query.get("encoding") === "linear16" && query.get("container") === "none";
    if (!text || text.length > MAX_TEXT_CHARS || !isRaw) return sendJson(response, 400, { err_code: "BAD" });
    if (query.get("model")?.startsWith("aura") !== true) {
      return sendJson(response, 400, { err_code: "INVALID_MODEL" });
    }
    asked.texts.push(text);
    const audio = await bytesAt(Number(query.get("sample_rate") ?? 24_000), await options.voice(text));
    response.writeHead(200, { "content-type": "audio/l16;rate=16000;channels=1" });
    const sink = {
      write: (bytes: Uint8Array) => response.write(bytes),
      destroy: () => response.destroy(),
      get isGone() {
        return response.destroyed;
      },
    };
    if (await sendAudio(sink, audio, fault)) response.end();
  };

  const server = await startFakeServer({ port: options.port, onRequest: speak, onUpgrade: listen });
  return { ...server, faults, messages, asked };
}

/** Quotes the key, as vendors sometimes do: none of it may reach Parley's errors. */
function invalidAuth(request: IncomingMessage): object {
  return { err_code: "INVALID_AUTH", err_msg: `Invalid credentials: ${request.headers.authorization}` };
}
