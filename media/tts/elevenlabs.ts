import type { Clock } from "@parley/shared/clock.ts";
import { SPEECH_VENDORS } from "@parley/shared/contracts/speech-vendors.ts";
import { PCM_RATE_HZ } from "../pcm.ts";
import { SpeechError } from "../speech-error.ts";
import { DEFAULT_DEADLINES, type VendorDeadlines, Watchdog } from "../vendor-requests/deadlines.ts";
import { timeoutError } from "../vendor-requests/failures.ts";
import { asText, parseObject } from "../vendor-requests/json.ts";
import { assertUsableKey } from "../vendor-requests/keys.ts";
import { VendorSocket } from "../vendor-requests/socket.ts";
import { Alignment } from "./alignment.ts";
import type { CharTimes } from "./char-times.ts";
import { ChunkQueue } from "./chunk-queue.ts";
import { pcmFrom } from "./pcm-stream.ts";
import type { TtsReply, TtsVendor, TtsVoice } from "./port.ts";
import { isSpeakable } from "./text.ts";

const VENDOR = "elevenlabs";
const { defaultModel: DEFAULT_MODEL, defaultVoice: DEFAULT_VOICE } = SPEECH_VENDORS.elevenlabs.tts;
const SPEEDS = SPEECH_VENDORS.elevenlabs.tts.speeds;
/** How long a brain may think between clauses before the socket must be reopened; the maximum is 180. */
const INACTIVITY_SECS = 120;
/** Maximum unread audio of a clause: about four minutes. */
const MAX_CLAUSE_BYTES = 8 * 1024 * 1024;
/** Errors that another try would meet again; they come as a message before a close with 1008. */
const INCURABLE = /api_key|auth|quota|payment|voice|model|format|permission|invalid/i;
/** Errors that may have passed by the next try, such as "The model is overloaded", although it mentions a model. */
const PASSING = /busy|overload|unavailable|time(d )?[ _-]?out|concurren|too[ _]many|rate[ _]limit|try again/i;

export interface ElevenLabsOptions {
  readonly apiKey: string;
  /** Scheme and host. */
  readonly url: string;
  readonly clock: Clock;
  readonly deadlines?: VendorDeadlines;
}

/**
 * ElevenLabs' multi-context websocket: one socket per answer, one context per clause. The socket is opened with the
 * reply, while the brain still thinks, and reopened if it was closed between two clauses.
 */
export function createElevenLabsTts(options: ElevenLabsOptions): TtsVendor {
  assertUsableKey(VENDOR, options.apiKey);
  return {
    name: VENDOR,
    openReply: ({ signal, ...voice }) => new ElevenLabsReply(options, voice, signal),
  };
}

/** The clause being spoken. ElevenLabs accepts five contexts per socket, of which only one is ever open. */
interface Clause {
  readonly contextId: string;
  readonly audio: ChunkQueue;
  readonly watchdog: Watchdog;
  readonly alignment: Alignment | undefined;
  /** Bytes of audio received. */
  bytes: number;
}

class ElevenLabsReply implements TtsReply {
  readonly #options: ElevenLabsOptions;
  readonly #deadlines: VendorDeadlines;
  readonly #address: string;
  readonly #pace: object;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.close();
  #socket: VendorSocket | undefined;
  #clause: Clause | undefined;
  #clauses = 0;
  #isClosed = false;

  constructor(options: ElevenLabsOptions, voice: TtsVoice, signal: AbortSignal) {
    this.#options = options;
    this.#deadlines = options.deadlines ?? DEFAULT_DEADLINES;
    this.#address = streamUrl(options.url, voice);
    this.#pace = paceOf(voice.speed);
    this.#signal = signal;
    if (signal.aborted) {
      this.#isClosed = true;
      return;
    }
    signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#socket = this.#connect();
  }

  async *say(text: string, times?: CharTimes): AsyncGenerator<Int16Array> {
    if (this.#isClosed || !isSpeakable(text)) return;
    const clause = this.#begin(text, times);
    let hasAudio = false;
    try {
      for await (const samples of pcmFrom(clause.audio, PCM_RATE_HZ)) {
        if (this.#isClosed) return;
        hasAudio = true;
        yield samples;
      }
      if (!hasAudio && !this.#isClosed) throw new SpeechError(VENDOR, "sent no audio", { retryable: true });
    } finally {
      clause.watchdog.stop();
      if (this.#clause === clause) this.#clause = undefined;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#clause?.watchdog.stop();
    this.#clause?.audio.end();
    this.#socket?.close(JSON.stringify({ close_socket: true }));
    this.#socket = undefined;
  }

  #begin(text: string, times: CharTimes | undefined): Clause {
    this.#clauses += 1;
    const contextId = `clause-${this.#clauses}`;
    const watchdog = new Watchdog(this.#options.clock, (afterMs) =>
      this.#fail(timeoutError(VENDOR, "no audio", afterMs)),
    );
    const alignment = times && new Alignment(text, times);
    const clause = { contextId, audio: new ChunkQueue(), watchdog, alignment, bytes: 0 };
    this.#clause = clause;
    watchdog.expectWithin(this.#deadlines.firstByteMs);
    const socket = this.#socket ?? this.#connect();
    this.#socket = socket;
    const send = (message: object): void =>
      socket.send(JSON.stringify({ ...message, context_id: contextId }));
    send({ text: " ", ...this.#pace });
    // The vendor takes a word for whole only once a space follows it.
    send({ text: `${text.trim()} `, flush: true });
    send({ close_context: true });
    return clause;
  }

  #connect(): VendorSocket {
    const { apiKey, clock } = this.#options;
    const socket: VendorSocket = new VendorSocket({
      vendor: VENDOR,
      url: this.#address,
      headers: { "xi-api-key": apiKey },
      clock,
      connectMs: this.#deadlines.connectMs,
      onMessage: (message) => this.#onMessage(message),
      onFailed: (error) => {
        if (this.#socket === socket) this.#fail(error);
      },
      explainClose: (_code, reason) => refusal(reason),
    });
    return socket;
  }

  #onMessage(message: string): void {
    const json = parseObject(message);
    const problem = asText(json?.error);
    if (problem !== undefined) {
      this.#fail(refusal(problem) ?? new SpeechError(VENDOR, "gave up", { retryable: true }));
      return;
    }
    const clause = this.#clause;
    // An abandoned context may still send audio.
    if (!clause || asText(json?.contextId ?? json?.context_id) !== clause.contextId) return;
    const audio = asText(json?.audio);
    if (audio !== undefined && audio !== "") take(clause, Buffer.from(audio, "base64"), json?.alignment);
    if (json?.isFinal === true || json?.is_final === true) {
      clause.watchdog.stop();
      clause.audio.end();
    } else if (clause.audio.bytes > MAX_CLAUSE_BYTES) {
      this.#fail(new SpeechError(VENDOR, "the clause has no end", { retryable: true }));
    } else {
      clause.watchdog.expectWithin(this.#deadlines.idleMs);
    }
  }

  /** Between two clauses a failure goes unreported: the next clause opens a new socket. */
  #fail(error: SpeechError): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.#clause?.watchdog.stop();
    this.#clause?.audio.fail(error);
  }
}

function take(clause: Clause, audio: Uint8Array, alignment: unknown): void {
  const [fromSample, toSample] = [clause.bytes, clause.bytes + audio.length].map((bytes) =>
    Math.floor(bytes / 2),
  ) as [number, number];
  clause.bytes += audio.length;
  clause.alignment?.push(alignment, { fromSample, samples: toSample - fromSample });
  clause.audio.push(audio);
}

function refusal(problem: string): SpeechError | undefined {
  return INCURABLE.test(problem) && !PASSING.test(problem)
    ? new SpeechError(VENDOR, "refused the request", { retryable: false })
    : undefined;
}

/** The speed settings in the first message of a context. */
function paceOf(speed = 1): object {
  if (speed === 1) return {};
  return { voice_settings: { speed: Math.min(SPEEDS.max, Math.max(SPEEDS.min, speed)) } };
}

function streamUrl(base: string, { voice = DEFAULT_VOICE, model = DEFAULT_MODEL }: TtsVoice): string {
  const path = `/v1/text-to-speech/${encodeURIComponent(voice)}/multi-stream-input`;
  const url = new URL(`${base.replace(/\/+$/, "")}${path}`);
  url.search = new URLSearchParams({
    model_id: model,
    output_format: `pcm_${PCM_RATE_HZ}`,
    inactivity_timeout: String(INACTIVITY_SECS),
    auto_mode: "true",
    sync_alignment: "true",
  }).toString();
  return url.href;
}
