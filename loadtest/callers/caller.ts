import type { ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import { WebSocket } from "ws";
import { Playback } from "./playback.ts";
import type { CallerScript } from "./script.ts";
import type { Utterance } from "./speech.ts";
import type { Tally } from "./tally.ts";

/** The gateway's default AUDIO_LEAD_MS. */
const LEAD_MS = 200;
const MAX_FIRST_ANSWER = 100;

export interface CallerOptions {
  readonly url: string;
  readonly script: CallerScript;
  readonly utterances: readonly Utterance[];
  readonly noise: readonly Buffer[];
  /** Read at each use: the current tally changes when measuring starts. */
  readonly tally: () => Tally;
  readonly onClosed: (caller: SyntheticCaller) => void;
}

type Doing =
  | { readonly kind: "connecting" }
  /** Quiet until then. */
  | { readonly kind: "quiet"; readonly untilMs: number }
  | { readonly kind: "speaking"; readonly utterance: Utterance; at: number }
  /** Said something; waiting for the answer's first audio. */
  | { readonly kind: "waiting"; readonly sinceMs: number }
  | { readonly kind: "listening" }
  | { readonly kind: "gone" };

/** One caller on one call socket: speaks real speech in real time, listens, and sometimes interrupts. */
export class SyntheticCaller {
  readonly #options: CallerOptions;
  readonly #socket: WebSocket;
  readonly #playback = new Playback(LEAD_MS);
  readonly #connectedAtMs: number;
  #doing: Doing = { kind: "connecting" };
  #sendsText = false;
  #frame = 0;
  #turns = 0;
  /** Starts at a random count, so that callers do not all interrupt the same answer. */
  #answers = Math.floor(Math.random() * MAX_FIRST_ANSWER);
  /** When voice first overlapped the agent's answer; set until `clear` arrives. */
  #interruptedAtMs: number | undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#connectedAtMs = performance.now();
    // A mask of zeros is valid (RFC 6455, 5.3), and saves the load generator the XOR.
    this.#socket = new WebSocket(options.url, {
      generateMask: (mask) => mask.fill(0),
      perMessageDeflate: false,
    });
    this.#socket.on("open", () => this.#send({ type: "start" }));
    this.#socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.#onAudio();
      else this.#onMessage(JSON.parse(data.toString("utf8")) as ServerMessage);
    });
    this.#socket.on("error", (error) => this.#fail(error.message));
    this.#socket.on("close", (code) => this.#onClose(code));
  }

  get isLive(): boolean {
    return this.#doing.kind !== "connecting" && this.#doing.kind !== "gone";
  }

  /** Called every 20 ms: sends one frame of speech or of a quiet room. */
  tick(nowMs: number): void {
    if (!this.isLive || this.#options.script.isMuted) return;
    const { noise } = this.#options;
    this.#options.tally().counts.framesSent += 1;
    this.#socket.send(this.#nextFrame(nowMs) ?? (noise[this.#frame % noise.length] as Buffer));
    this.#frame += 1;
  }

  hangUp(): void {
    if (this.isLive) this.#send({ type: "hangup" });
    else this.#socket.terminate();
  }

  #nextFrame(nowMs: number): Buffer | undefined {
    if (this.#doing.kind === "quiet" && nowMs >= this.#doing.untilMs) this.#speak();
    if (this.#doing.kind === "listening" && this.#wantsToInterrupt(nowMs)) {
      this.#interruptedAtMs = nowMs;
      this.#speak();
    }
    if (this.#doing.kind !== "speaking") return undefined;
    const { utterance, at } = this.#doing;
    this.#doing.at += 1;
    if (at + 1 >= utterance.frames.length) this.#finishSpeaking(utterance, nowMs);
    return utterance.frames[at];
  }

  #speak(): void {
    const { utterances } = this.#options;
    const utterance = utterances[this.#turns % utterances.length];
    if (!utterance) return;
    this.#turns += 1;
    this.#doing = { kind: "speaking", utterance, at: 0 };
  }

  #finishSpeaking({ text }: Utterance, nowMs: number): void {
    this.#options.tally().counts.turns += 1;
    // Without a server recognizer, the caller's app transcribes and sends the words.
    if (this.#sendsText) this.#send({ type: "text", text });
    this.#doing = { kind: "waiting", sinceMs: nowMs };
  }

  #wantsToInterrupt(nowMs: number): boolean {
    const { interruptEvery, interruptAfterMs } = this.#options.script;
    if (interruptEvery === 0 || this.#answers % interruptEvery !== 0) return false;
    return this.#playback.heardMs(nowMs) >= interruptAfterMs;
  }

  #onAudio(): void {
    const nowMs = performance.now();
    const tally = this.#options.tally();
    if (this.#doing.kind === "waiting") {
      tally.times.response.record(nowMs - this.#doing.sinceMs);
      this.#answers += 1;
      this.#doing = { kind: "listening" };
    }
    tally.late(this.#playback.push(nowMs), LEAD_MS);
  }

  #onMessage(message: ServerMessage): void {
    const nowMs = performance.now();
    const { script, tally } = this.#options;
    switch (message.type) {
      case "ready":
        tally().times.setup.record(nowMs - this.#connectedAtMs);
        this.#sendsText = message.recognition === "client";
        this.#doing = { kind: "quiet", untilMs: nowMs + script.firstAfterMs };
        break;
      case "clear":
        this.#onClear(nowMs);
        break;
      case "state":
        if (message.state !== "speaking") this.#playback.stop();
        if (message.state === "listening" && this.#doing.kind === "listening") {
          this.#doing = { kind: "quiet", untilMs: nowMs + script.pauseMs };
        }
        break;
      case "error":
        tally().counts.errorsTold += 1;
        tally().complain(message.code);
        break;
      case "transcript":
      case "ended":
      case "mark":
      case "metrics":
      case "dtmf":
      case "leg":
      case "transfer":
      case "hold":
      case "quality":
      case "pong":
        break;
      default:
        message satisfies never;
    }
  }

  #onClear(nowMs: number): void {
    this.#playback.stop();
    if (this.#interruptedAtMs === undefined) return;
    const tally = this.#options.tally();
    tally.times.bargeIn.record(nowMs - this.#interruptedAtMs);
    tally.counts.interruptions += 1;
    this.#interruptedAtMs = undefined;
  }

  #onClose(code: number): void {
    const { counts } = this.#options.tally();
    if (this.#doing.kind === "gone") return;
    if (this.#doing.kind === "connecting") counts.callsFailed += 1;
    else if (code !== 1000) {
      counts.callsLost += 1;
      this.#options.tally().complain(`closed with ${code}`);
    }
    this.#doing = { kind: "gone" };
    this.#options.onClosed(this);
  }

  #fail(problem: string): void {
    this.#options.tally().complain(problem);
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}
