import type { SocketCodec } from "@parley/media/codecs/socket-codec.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import type { AudioFormat, ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import { WebSocket } from "ws";
import { levelDb } from "../sounds/level.ts";
import type { Room } from "../sounds/room.ts";
import type { Asked, CallRecord } from "./call-record.ts";
import type { Carrier } from "./delivery.ts";
import { type Echo, EchoPath } from "./echo-path.ts";
import { Loudspeaker, type PlayedFrame } from "./loudspeaker.ts";
import { type Utterance, wordTimes } from "./questions.ts";

export interface RoomCallerOptions {
  readonly url: string;
  readonly record: CallRecord;
  readonly utterances: readonly Utterance[];
  /** Made over each answer: a cough, an "uh-huh". */
  readonly interjection?: Utterance | undefined;
  /** The caller asks the next question over the previous answer. */
  readonly interrupts: boolean;
  readonly room: Room;
  readonly carrier: Carrier;
  readonly echo?: Echo | undefined;
  /** The format on the socket; the gateway's own samples when absent. */
  readonly telephone?: { readonly format: AudioFormat; readonly codec: SocketCodec } | undefined;
  /** How long the agent takes to say a clause. */
  readonly clauseMs: (clause: string) => number;
  readonly random: () => number;
  /** Longest wait for an answer. */
  readonly patienceMs: number;
  readonly onClosed: () => void;
}

type Doing =
  | { readonly kind: "connecting" }
  | { readonly kind: "resting"; readonly untilFrame: number }
  | { readonly kind: "asking"; readonly asked: Asked; readonly fromFrame: number }
  | { readonly kind: "waiting"; readonly asked: Asked; readonly fromFrame: number }
  | { readonly kind: "gone" };

const FRAMES_PER_S = 1_000 / FRAME_MS;
/** An answer that stops and starts for this long counts as over. */
const LONGEST_TURN_FRAMES = 30 * FRAMES_PER_S;
const FIRST_REST_FRAMES = FRAMES_PER_S;
const REST_FRAMES = 0.6 * FRAMES_PER_S;
/** A silence inside an answer longer than any voice's own pause. */
const HOLE_FRAMES = 0.4 * FRAMES_PER_S;
const INTERJECT_AFTER_FRAMES = 1.2 * FRAMES_PER_S;
/** An interruption comes this long to twice as long after the answer's first word. */
const INTERRUPT_AFTER_FRAMES = 1.4 * FRAMES_PER_S;

/** A caller in a room: asks, listens, and hears everything in real time, like an app on the call socket. */
export class RoomCaller {
  readonly #options: RoomCallerOptions;
  readonly #socket: WebSocket;
  readonly #loudspeaker = new Loudspeaker();
  readonly #echo: EchoPath | undefined;
  #doing: Doing = { kind: "connecting" };
  #agentState = "listening";
  #frame = 0;
  #clause = "";
  #silentRun = 0;
  #sound: { readonly samples: Float32Array; readonly fromFrame: number } | undefined;
  #answeredFrame: number | undefined;
  #interruptFrame: number | undefined;

  constructor(options: RoomCallerOptions) {
    this.#options = options;
    this.#echo = options.echo && new EchoPath(options.echo);
    this.#socket = new WebSocket(options.url, { perMessageDeflate: false });
    const { telephone } = options;
    const start = { type: "start", ...(telephone && { audio: telephone.format }) };
    this.#socket.on("open", () => this.#send(start));
    this.#socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.#loudspeaker.take(telephone ? bytesOf(telephone.codec.decode(data)) : data);
      else this.#onMessage(JSON.parse(data.toString("utf8")) as ServerMessage);
    });
    this.#socket.on("error", (error) => options.record.problems.push(error.message));
    this.#socket.on("close", (code) => this.#onClose(code));
  }

  /** Called every 20 ms: hears a frame and says a frame. */
  tick(nowMs: number): void {
    if (this.#doing.kind === "connecting" || this.#doing.kind === "gone") return;
    const played = this.#loudspeaker.play();
    this.#noteClause(played, nowMs);
    this.#follow(played, nowMs);
    this.#speak(played);
    this.#frame += 1;
  }

  hangUp(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#send({ type: "hangup" });
    else this.#socket.terminate();
  }

  #noteClause({ isAudible, clause }: PlayedFrame, nowMs: number): void {
    if (!isAudible || clause === "" || clause === this.#clause) return;
    const isContinued = clause.startsWith(this.#clause);
    const added = isContinued ? clause.slice(this.#clause.length).trim() : clause;
    this.#clause = clause;
    this.#options.record.heard.push({ atMs: nowMs, clause: added });
    const { record, clauseMs } = this.#options;
    const echo = this.#echo;
    if (!echo?.isOn(this.#frame)) return;
    const from = this.#frame + echo.delayFrames(this.#frame);
    for (const { text, ...times } of wordTimes(added, 0, clauseMs(added))) {
      record.sent.say("agent", text, { from, ...times });
    }
  }

  #follow(played: PlayedFrame, nowMs: number): void {
    const doing = this.#doing;
    if (doing.kind === "asking") this.#followQuestion(doing, played, nowMs);
    else if (doing.kind === "waiting") this.#followAnswer(doing, played, nowMs);
    else if (doing.kind === "resting" && this.#frame >= doing.untilFrame && this.#loudspeaker.isEmpty) {
      this.#ask(nowMs, false);
    }
  }

  #ask(nowMs: number, isInterruption: boolean): void {
    const { record, utterances } = this.#options;
    const utterance = utterances[record.questions.length];
    if (!utterance) {
      this.hangUp();
      return;
    }
    const asked: Asked = {
      number: record.questions.length + 1,
      utterance,
      startedAtMs: nowMs,
      wordsEndedAtMs: undefined,
      wasCutOff: false,
      answeredAtMs: undefined,
      silentMs: 0,
      stops: 0,
      isOver: false,
      isInterruption,
      stoppedAfterMs: undefined,
    };
    record.questions.push(asked);
    this.#utter(utterance);
    this.#doing = { kind: "asking", asked, fromFrame: this.#frame };
  }

  #utter({ samples, words }: Utterance): void {
    this.#sound = { samples, fromFrame: this.#frame };
    for (const { text, ...times } of words) {
      this.#options.record.sent.say("caller", text, { from: this.#frame, ...times });
    }
  }

  #followQuestion(
    { asked, fromFrame }: Extract<Doing, { kind: "asking" }>,
    played: PlayedFrame,
    nowMs: number,
  ): void {
    const isTalkedOver = asked.isInterruption && asked.stoppedAfterMs === undefined;
    if (played.isAudible && !isTalkedOver) asked.wasCutOff = true;
    if ((this.#frame - fromFrame) * FRAME_SAMPLES < asked.utterance.samples.length) return;
    asked.wordsEndedAtMs = nowMs;
    this.#answeredFrame = undefined;
    this.#silentRun = 0;
    this.#doing = { kind: "waiting", asked, fromFrame: this.#frame };
  }

  #followAnswer(
    { asked, fromFrame }: Extract<Doing, { kind: "waiting" }>,
    played: PlayedFrame,
    nowMs: number,
  ): void {
    const waitedFrames = this.#frame - fromFrame;
    if (played.isAudible) this.#onAudible(asked, played, nowMs);
    else this.#silentRun += 1;
    if (this.#frame === this.#interruptFrame) {
      asked.isOver = true;
      this.#ask(nowMs, true);
      return;
    }
    const { interjection } = this.#options;
    if (interjection && this.#answeredFrame === this.#frame - INTERJECT_AFTER_FRAMES)
      this.#utter(interjection);
    const hasHeardAll =
      this.#answeredFrame !== undefined && this.#loudspeaker.isEmpty && this.#agentState === "listening";
    const givesUp =
      this.#answeredFrame === undefined
        ? waitedFrames * FRAME_MS > this.#options.patienceMs
        : waitedFrames > LONGEST_TURN_FRAMES;
    // The rest of an answer the agent is holding is still to come.
    if (!givesUp && !(hasHeardAll && this.#silentRun > HOLE_FRAMES)) return;
    if (givesUp) asked.silentMs += this.#silentRun * FRAME_MS;
    asked.isOver = true;
    const rest = REST_FRAMES + Math.floor(this.#options.random() * REST_FRAMES);
    this.#doing = { kind: "resting", untilFrame: this.#frame + rest };
  }

  #onAudible(asked: Asked, { clause }: PlayedFrame, nowMs: number): void {
    const isFirst = this.#answeredFrame === undefined;
    if (isFirst || this.#silentRun > HOLE_FRAMES) asked.silentMs += this.#silentRun * FRAME_MS;
    this.#silentRun = 0;
    if (!isFirst || !clause.includes(`answer ${asked.number},`)) return;
    asked.answeredAtMs = nowMs;
    this.#answeredFrame = this.#frame;
    const { interrupts, record, utterances, random } = this.#options;
    if (!interrupts || record.questions.length === utterances.length) return;
    this.#interruptFrame = this.#frame + Math.round(INTERRUPT_AFTER_FRAMES * (1 + random()));
  }

  #speak(played: PlayedFrame): void {
    const { record, room, carrier, telephone } = this.#options;
    const echo = this.#echo?.push(played.samples);
    const rest = new Float32Array(FRAME_SAMPLES);
    this.#addSound(rest);
    const voices = rest.map((sample, i) => sample + (echo?.[i] ?? 0));
    room.addTo(rest);
    const mix = Int16Array.from(rest, (sample, i) => clipped(sample + (echo?.[i] ?? 0)));
    record.sent.push({ mix, voices, echoDb: echo ? levelDb(echo) : -120, restDb: levelDb(rest) });
    const said = telephone ? Buffer.from(telephone.codec.encode(mix)) : Buffer.from(mix.buffer);
    for (const frame of carrier.carry(said)) this.#socket.send(frame);
  }

  #addSound(frame: Float32Array): void {
    const sound = this.#sound;
    if (!sound) return;
    const at = (this.#frame - sound.fromFrame) * FRAME_SAMPLES;
    for (let i = 0; i < FRAME_SAMPLES; i++) frame[i] = sound.samples[at + i] ?? 0;
    if (at >= sound.samples.length) this.#sound = undefined;
  }

  #onMessage(message: ServerMessage): void {
    this.#note(message);
    switch (message.type) {
      case "ready":
        this.#doing = { kind: "resting", untilFrame: FIRST_REST_FRAMES };
        break;
      case "state":
        this.#agentState = message.state;
        if (message.state !== "thinking") break;
        this.#options.record.decidedAtMs.push(performance.now());
        this.#loudspeaker.begins();
        break;
      case "transcript":
        if (message.role === "assistant" && !message.final) this.#loudspeaker.says(message.text);
        break;
      case "clear":
        this.#onClear();
        break;
      case "error":
        this.#options.record.problems.push(message.code);
        break;
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

  #note(message: ServerMessage): void {
    const { happened } = this.#options.record;
    if (message.type === "transcript" && message.role === "assistant") return;
    const { type, ...rest } = message;
    happened.push({ atMs: performance.now(), what: `${type} ${Object.values(rest).join(" ")}` });
  }

  #onClear(): void {
    const dropped = this.#loudspeaker.clear();
    const doing = this.#doing;
    if (dropped === 0 || (doing.kind !== "asking" && doing.kind !== "waiting")) return;
    const { asked } = doing;
    if (asked.isInterruption && asked.stoppedAfterMs === undefined) {
      asked.stoppedAfterMs = performance.now() - asked.startedAtMs;
    } else if (doing.kind === "waiting") asked.stops += 1;
  }

  #onClose(code: number): void {
    if (this.#doing.kind === "gone") return;
    if (code !== 1000) this.#options.record.problems.push(`closed with ${code}`);
    this.#doing = { kind: "gone" };
    this.#options.onClosed();
  }

  #send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

/** Copies the samples. */
function bytesOf(samples: Int16Array): Buffer {
  return Buffer.from(samples.slice().buffer);
}

function clipped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)));
}
