import type { Clock } from "@parley/shared/clock.ts";
import { PCM_RATE_HZ } from "../pcm.ts";
import { SpeechError } from "../speech-error.ts";
import { DEFAULT_DEADLINES, FILE_DEADLINES, type VendorDeadlines } from "../vendor-requests/deadlines.ts";
import { timeoutError } from "../vendor-requests/failures.ts";
import { VendorHttp } from "../vendor-requests/http.ts";
import { assertUsableKey } from "../vendor-requests/keys.ts";
import { VendorSocket } from "../vendor-requests/socket.ts";
import { transcribeAtDeepgram } from "./deepgram-file.ts";
import {
  CLOSE_STREAM,
  type DeepgramMessage,
  FINALIZE,
  KEEP_ALIVE,
  listenUrl,
  parseDeepgramMessage,
} from "./deepgram-protocol.ts";
import type { SttOptions, SttSession, SttVendor } from "./port.ts";

const VENDOR = "deepgram";
/** Deepgram closes a stream after 10 s without audio (NET-0001). */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_CHECK_MS = 1_000;
/** Deadline for a requested final while text is open. */
const OPEN_TEXT_DEADLINE_MS = 1_500;
/** Deadline while no text is open: Deepgram need not answer a Finalize that finds nothing buffered. */
const NO_TEXT_DEADLINE_MS = 500;
/** Interim results come about once a second while audio flows; a vendor silent for this long is gone. */
const SILENT_MS = 5_000;
/** Amount of audio that may pass without any result. */
const MIN_ANSWERED_SAMPLES = PCM_RATE_HZ;
/** Close code for undecodable audio or a senseless request: another try would end the same way. */
const POLICY_VIOLATION = 1008;

/** Sums of seconds are inexact: a result that begins up to this much before the last one's end follows it. */
const SAME_TIME_SECS = 0.01;

type Results = Extract<DeepgramMessage, { type: "results" }>;

export interface DeepgramSttOptions {
  readonly apiKey: string;
  /** Scheme (http or https) and host, which also serves the live endpoint. */
  readonly url: string;
  readonly clock: Clock;
  readonly deadlines?: VendorDeadlines;
}

/** Deepgram's live endpoint, one socket per call. A dropped socket ends the session; the fallback reopens it. */
export function createDeepgramStt(options: DeepgramSttOptions): SttVendor {
  assertUsableKey(VENDOR, options.apiKey);
  const { apiKey, url, clock } = options;
  const http = new VendorHttp({ vendor: VENDOR, clock, deadlines: FILE_DEADLINES });
  return {
    name: VENDOR,
    open: (session) => new DeepgramSession(options, session),
    transcribeFile: (file, asked) => transcribeAtDeepgram(file, asked, { apiKey, url, http }),
  };
}

class DeepgramSession implements SttSession {
  readonly feed = "stream";
  readonly hasInterims = true;
  /** Undefined because the session's own deadlines for finals are shorter than any wait. */
  readonly answersWithinMs = undefined;
  readonly #clock: Clock;
  readonly #emit: SttOptions["onEvent"];
  readonly #socket: VendorSocket;
  readonly #stopKeepAlive: () => void;
  #sentAtMs: number;
  /** Time of the first audio since Deepgram's last message. */
  #unansweredSinceMs: number | undefined;
  /** Samples since the last Finalize, and whether Deepgram said anything about them. */
  #utteranceSamples = 0;
  #heardBack = false;
  /** The newest text that is not final. */
  #open: Results | undefined;
  /** End of the text given as final; anything Deepgram still says about earlier audio is late. */
  #settledSecs = 0;
  #owedFinals = 0;
  #cancelDeadline: (() => void) | undefined;
  #isOver = false;

  constructor({ apiKey, url, clock, deadlines }: DeepgramSttOptions, options: SttOptions) {
    this.#clock = clock;
    this.#emit = options.onEvent;
    this.#sentAtMs = clock.monotonicMs();
    this.#socket = new VendorSocket({
      vendor: VENDOR,
      url: listenUrl(url, options),
      headers: { authorization: `Token ${apiKey}` },
      clock,
      connectMs: (deadlines ?? DEFAULT_DEADLINES).connectMs,
      onOpen: () => this.#onOpen(),
      onMessage: (message) => this.#onMessage(parseDeepgramMessage(message)),
      onFailed: (error) => this.#fail(error),
      explainClose: (code) =>
        code === POLICY_VIOLATION
          ? new SpeechError(VENDOR, "refused the audio", { retryable: false })
          : undefined,
    });
    this.#stopKeepAlive = clock.every(KEEP_ALIVE_CHECK_MS, () => this.#keepAlive());
  }

  write(frame: Int16Array): void {
    if (this.#isOver) return;
    const nowMs = this.#clock.monotonicMs();
    this.#sentAtMs = nowMs;
    this.#utteranceSamples += frame.length;
    if (this.#socket.isOpen) this.#unansweredSinceMs ??= nowMs;
    this.#socket.send(Buffer.from(frame.slice().buffer));
    if (this.#unansweredSinceMs !== undefined && nowMs - this.#unansweredSinceMs > SILENT_MS) {
      this.#fail(timeoutError(VENDOR, "no result", SILENT_MS));
    }
  }

  finalize(): void {
    if (this.#isOver) return;
    this.#owedFinals += 1;
    this.#socket.send(FINALIZE);
    // While the socket opens, its own deadline counts.
    if (this.#socket.isOpen) this.#awaitFinal();
  }

  close(): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.close(CLOSE_STREAM);
  }

  #onOpen(): void {
    if (this.#utteranceSamples > 0) this.#unansweredSinceMs = this.#clock.monotonicMs();
    if (this.#owedFinals > 0) this.#awaitFinal();
  }

  #onMessage(message: DeepgramMessage): void {
    if (this.#isOver) return;
    this.#unansweredSinceMs = undefined;
    if (message.type === "results") this.#onResults(message);
    if (message.type === "utterance_end") this.#settleOpenText();
  }

  #onResults(results: Results): void {
    const isLate = results.startSecs < this.#settledSecs - SAME_TIME_SECS;
    // A late result says nothing about the utterance awaited now.
    if (!isLate) this.#heardBack = true;
    const text = isLate ? "" : results.text;
    if (!results.isFinal) {
      if (text === "") return;
      this.#open = results;
      this.#emit({ type: "interim", text });
      return;
    }
    this.#open = undefined;
    this.#settledSecs = Math.max(this.#settledSecs, results.endSecs);
    const answersFinalize = results.fromFinalize && !isLate && this.#owedFinals > 0;
    const endpoint = results.speechFinal ? "speech_end" : "endpoint";
    this.#emitFinal(text, results.endSecs, answersFinalize ? "finalize" : endpoint);
    if (this.#owedFinals > 0) this.#awaitFinal();
  }

  /** Stops waiting for the open text, because no word has come for a while. */
  #settleOpenText(): void {
    const open = this.#open;
    this.#open = undefined;
    const endSecs = open?.endSecs ?? this.#settledSecs;
    this.#settledSecs = endSecs;
    this.#emitFinal(open?.text ?? "", endSecs, "speech_end");
  }

  #awaitFinal(): void {
    this.#cancelDeadline?.();
    // The receiver of the last final may have closed the session.
    if (this.#isOver) return;
    const mayBeLong = this.#open !== undefined || !this.#heardBack;
    const deadlineMs = mayBeLong ? OPEN_TEXT_DEADLINE_MS : NO_TEXT_DEADLINE_MS;
    this.#cancelDeadline = this.#clock.after(deadlineMs, () => this.#onDeadline(deadlineMs));
  }

  #onDeadline(afterMs: number): void {
    if (!this.#heardBack && this.#utteranceSamples >= MIN_ANSWERED_SAMPLES) {
      // Not a word about a whole utterance: better ask the next vendor than give up.
      this.#fail(timeoutError(VENDOR, "no result", afterMs));
      return;
    }
    const open = this.#open;
    this.#open = undefined;
    if (open) this.#settledSecs = open.endSecs;
    this.#emitFinal(open?.text ?? "", open?.endSecs ?? this.#settledSecs, "finalize");
    if (this.#owedFinals > 0) this.#awaitFinal();
  }

  #emitFinal(text: string, endSecs: number, cause: "finalize" | "endpoint" | "speech_end"): void {
    const fromFinalize = cause === "finalize";
    if (fromFinalize) {
      this.#owedFinals -= 1;
      this.#heardBack = false;
      this.#utteranceSamples = 0;
      this.#cancelDeadline?.();
    }
    const endMs = Math.round(endSecs * 1000);
    const ending = cause === "speech_end" ? { endsSpeech: true } : {};
    this.#emit({ type: "final", text, fromFinalize, endMs, ...ending });
  }

  #keepAlive(): void {
    const nowMs = this.#clock.monotonicMs();
    if (!this.#socket.isOpen || nowMs - this.#sentAtMs < KEEP_ALIVE_MS) return;
    this.#sentAtMs = nowMs;
    this.#socket.send(KEEP_ALIVE);
  }

  #fail(error: SpeechError): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.close();
    this.#emit({ type: "failed", error });
  }

  #end(): void {
    this.#isOver = true;
    this.#stopKeepAlive();
    this.#cancelDeadline?.();
  }
}
