import { FRAME_SAMPLES, msToSamples, PCM_RATE_HZ, samplesToMs } from "@parley/media/pcm.ts";
import type { WebSocket } from "ws";
import { type FakeRecognizer, isVoice, joined } from "./fake-speech.ts";
import type { Fault } from "./faults.ts";

const INTERIM_EVERY_SAMPLES = msToSamples(200);
/** Silence is periodically finalized with an empty final. */
const SILENT_SEGMENT_SAMPLES = msToSamples(3_000);
const CLOSED_NORMALLY = 1000;
const BAD_DATA = 1008;
const NO_AUDIO = 1011;

export interface LiveStreamOptions {
  readonly recognizer: FakeRecognizer;
  /** The request's query. */
  readonly query: URLSearchParams;
  readonly fault: Fault | undefined;
  readonly idleTimeoutMs: number;
  readonly onMessage: (type: string) => void;
}

/** One `/v1/listen` socket: interim results, endpointing, Finalize, KeepAlive, CloseStream. */
export class LiveStream {
  readonly #socket: WebSocket;
  readonly #options: LiveStreamOptions;
  readonly #endpointingMs: number;
  #segment: Int16Array[] = [];
  #segmentSamples = 0;
  #settledSamples = 0;
  #receivedBytes = 0;
  #voicedMs = 0;
  #silentMs = 0;
  #interimAtSamples = INTERIM_EVERY_SAMPLES;
  /** Results are sent in the order of their audio. */
  #queue = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, options: LiveStreamOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#endpointingMs = Number(options.query.get("endpointing") ?? 10);
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.#onAudio(data);
      else this.#onText(data.toString());
    });
    socket.once("close", () => clearTimeout(this.#idleTimer));
    this.#restartIdleTimer();
  }

  get #isMute(): boolean {
    const { fault } = this.#options;
    return fault?.kind === "mute" || (fault?.kind === "stall" && this.#receivedBytes >= fault.afterBytes);
  }

  #onAudio(bytes: Buffer): void {
    const { fault } = this.#options;
    this.#restartIdleTimer();
    this.#receivedBytes += bytes.length;
    if (fault?.kind === "die" && this.#receivedBytes >= fault.afterBytes) {
      this.#socket.terminate();
      return;
    }
    if (bytes.length % 2 === 1) {
      this.#socket.close(BAD_DATA, "DATA-0000");
      return;
    }
    const samples = new Int16Array(new Uint8Array(bytes).buffer);
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
      this.#hear(samples.subarray(at, at + FRAME_SAMPLES));
    }
  }

  #hear(frame: Int16Array): void {
    this.#segment.push(frame);
    this.#segmentSamples += frame.length;
    const frameMs = samplesToMs(frame.length);
    if (isVoice(frame)) {
      if (this.#voicedMs === 0) this.#send({ type: "SpeechStarted", timestamp: this.#endSecs });
      this.#voicedMs += frameMs;
      this.#silentMs = 0;
    } else {
      this.#silentMs += frameMs;
    }
    if (this.#segmentSamples >= this.#interimAtSamples) {
      this.#interimAtSamples += INTERIM_EVERY_SAMPLES;
      this.#sendResults({ text: this.#options.recognizer.interim(this.#voicedMs), isFinal: false });
    }
    if (this.#voicedMs > 0 && this.#silentMs >= this.#endpointingMs) this.#settle({ speech_final: true });
    if (this.#voicedMs === 0 && this.#segmentSamples >= SILENT_SEGMENT_SAMPLES) this.#settle({});
  }

  #onText(text: string): void {
    const { type } = JSON.parse(text) as { type: string };
    this.#options.onMessage(type);
    if (type === "KeepAlive") this.#restartIdleTimer();
    // As the documentation warns, there is no answer when nothing substantial is buffered.
    if (type === "Finalize" && this.#voicedMs > 0) this.#settle({ from_finalize: true });
    if (type !== "CloseStream") return;
    this.#settle({});
    this.#later(() => {
      this.#send({ type: "Metadata", request_id: "fake", duration: this.#endSecs, channels: 1 });
      this.#socket.close(CLOSED_NORMALLY);
    });
  }

  get #startSecs(): number {
    return this.#settledSamples / PCM_RATE_HZ;
  }

  get #endSecs(): number {
    return (this.#settledSamples + this.#segmentSamples) / PCM_RATE_HZ;
  }

  /** Sends the final transcript of the audio since the last final. */
  #settle(flags: { speech_final?: true; from_finalize?: true }): void {
    const samples = joined(this.#segment);
    const times = { start: this.#startSecs, duration: this.#endSecs - this.#startSecs };
    this.#settledSamples += this.#segmentSamples;
    this.#segment = [];
    this.#segmentSamples = 0;
    this.#voicedMs = 0;
    this.#silentMs = 0;
    this.#interimAtSamples = INTERIM_EVERY_SAMPLES;
    this.#later(async () => {
      const text = await this.#options.recognizer.final(samples);
      this.#sendResults({ text, isFinal: true, times, flags });
    });
  }

  #sendResults(results: { text: string; isFinal: boolean; times?: object; flags?: object }): void {
    const { text, isFinal, times, flags } = results;
    if (!isFinal && this.#options.query.get("interim_results") !== "true") return;
    this.#send({
      type: "Results",
      channel_index: [0, 1],
      ...(times ?? { start: this.#startSecs, duration: this.#endSecs - this.#startSecs }),
      is_final: isFinal,
      speech_final: false,
      ...flags,
      channel: { alternatives: [{ transcript: text, confidence: 0.98, words: [] }] },
      metadata: { request_id: "fake" },
    });
  }

  #send(message: object): void {
    if (!this.#isMute) this.#socket.send(JSON.stringify(message));
  }

  #later(work: () => void | Promise<void>): void {
    this.#queue = this.#queue.then(work).catch(() => this.#socket.terminate());
  }

  #restartIdleTimer(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#socket.close(NO_AUDIO, "NET-0001"), this.#options.idleTimeoutMs);
  }
}
