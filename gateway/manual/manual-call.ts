import type { CallCommandReply } from "@parley/shared/contracts/call-commands.ts";
import type { ManualPlan } from "@parley/shared/contracts/call-plan.ts";
import type { ClientMessage, DtmfDigit } from "@parley/shared/contracts/call-socket.ts";
import { CLOSE, type CloseReason } from "@parley/shared/contracts/close-codes.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FramePublisher } from "../bridge/frames.ts";
import { type CallerConnection, CallerLine } from "../call/line.ts";
import type { Arrival, Attachment, CallerInput, CallOrder, LiveCall } from "../call/live-call.ts";
import type { RecordedCall } from "../call/open-recording.ts";
import type { CallEventWriter } from "../events/call-event-log.ts";
import { Bridge } from "./bridge.ts";
import { statusOf } from "./ending.ts";
import { PhoneKeys } from "./phone-keys.ts";
import type { WavSource } from "./wav-source.ts";

export interface ManualCallDeps {
  readonly plan: ManualPlan;
  readonly nodeId: string;
  readonly resumeToken: string;
  readonly resumeWindowMs: number;
  readonly now: () => number;
  readonly frames: Pick<FramePublisher, "publish">;
  readonly events: CallEventWriter;
  readonly wavs: Pick<WavSource, "fetch" | "read">;
  /** Called once, when somebody has answered. */
  readonly beginRecording: () => Promise<RecordedCall | undefined>;
  readonly onEnded: (reason: string) => void;
}

/** One end of the call; gone since then, when its connection broke. */
interface End {
  readonly line: CallerLine;
  droppedAtMs: number | undefined;
}

const NO_TOKEN = "";

/** A call between two people: the phone of one, and the softphone of the other, or of nobody. */
export class ManualCall implements LiveCall {
  readonly #deps: ManualCallDeps;
  readonly #openedMs: number;
  readonly #phone: End = { line: new CallerLine(), droppedAtMs: undefined };
  readonly #softphone: End = { line: new CallerLine(), droppedAtMs: undefined };
  readonly #bridge: Bridge;
  readonly #keys: PhoneKeys;
  #answeredMs: number | undefined;
  #callSid: string | undefined;
  #recording: Promise<RecordedCall | undefined> | undefined;
  #recorded: RecordedCall | undefined;
  #plays = 0;
  #ending: Promise<void> | undefined;

  constructor(deps: ManualCallDeps) {
    this.#deps = deps;
    const { now } = deps;
    this.#openedMs = now();
    this.#keys = new PhoneKeys({ now, onDigit: (digit) => this.#onPhoneKey(digit) });
    this.#bridge = new Bridge({
      now,
      toPhone: (frame) => {
        this.#phone.line.sendFrame(frame);
        this.#recorded?.recording.speak(frame, now());
      },
      toSoftphone: (frame) => this.#softphone.line.sendFrame(frame),
    });
  }

  get isOver(): boolean {
    return this.#ending !== undefined;
  }

  get ended(): Promise<void> | undefined {
    return this.#ending;
  }

  attach(connection: CallerConnection, arrival: Arrival): Attachment {
    if (this.isOver) return { ok: false, reason: "ended" };
    return arrival.end === "leg" ? this.#attachPhone(connection) : this.#attachSoftphone(connection, arrival);
  }

  tick(): void {
    if (this.isOver) return;
    const nowMs = this.#deps.now();
    // Nobody hears what is played before the phone is answered.
    if (this.#phone.line.isConnected) this.#bridge.tick();
    this.#keys.tick();
    this.#recorded?.recording.tick(nowMs);
    this.#watchTime(nowMs);
  }

  async obey(order: CallOrder): Promise<CallCommandReply> {
    if (order.command !== "play" && order.command !== "play_track")
      return { ok: false, code: "bad_request", message: "A manual call has no agent to say anything." };
    this.#plays += 1;
    const turn = this.#plays;
    try {
      const { wavs } = this.#deps;
      const playback = await (order.command === "play" ? wavs.fetch(order.url) : wavs.read(order.key));
      const { durationMs } = playback;
      // Whoever asked later is played, whichever file came first.
      if (this.isOver || turn !== this.#plays) playback.stop();
      else this.#bridge.play(playback);
      if (this.isOver) return { ok: false, code: "session_ended", message: "The call has ended." };
      return { ok: true, durationMs };
    } catch (error) {
      if (error instanceof AppError) return { ok: false, code: error.code, message: error.message };
      throw error;
    }
  }

  end(reason: string, close: CloseReason = CLOSE.ended): void {
    if (this.isOver) return;
    const { frames, onEnded } = this.#deps;
    this.#bridge.close();
    for (const { line } of [this.#phone, this.#softphone]) {
      if (close === CLOSE.ended) line.send({ type: "ended", reason });
      line.close(close);
    }
    const durationSecs = Math.floor(this.#answeredForMs / 1_000);
    frames.publish("call.ended", { reason, durationSecs });
    this.#ending = this.#complete(reason, durationSecs).finally(() => onEnded(reason));
  }

  async #complete(reason: string, durationSecs: number): Promise<void> {
    const status = statusOf(reason, this.#answeredMs !== undefined);
    await (await this.#recording)?.store();
    this.#deps.events.append({ type: "call.ended", reason, status, durationSecs });
  }

  get #answeredForMs(): number {
    return this.#answeredMs === undefined ? 0 : this.#deps.now() - this.#answeredMs;
  }

  /** With the resume token, or a new ticket: a second device takes over. */
  #attachSoftphone(connection: CallerConnection, { resume, hasFreshTicket }: Arrival): Attachment {
    const { resumeToken } = this.#deps;
    if (resume === undefined ? !hasFreshTicket : resume !== resumeToken)
      return { ok: false, reason: "resume_invalid" };
    this.#connect(this.#softphone, connection, resumeToken);
    connection.send({ type: "leg", state: this.#answeredMs === undefined ? "connecting" : "live" });
    const input = this.#inputOf(this.#softphone, connection, {
      onAudio: (samples) => this.#bridge.hearSoftphone(samples),
      onDigit: (digit) => this.#bridge.press(digit),
    });
    return { ok: true, input };
  }

  /** The same leg may come again when its connection broke. */
  #attachPhone(connection: CallerConnection): Attachment {
    const { callSid } = connection;
    const isKnown = this.#answeredMs !== undefined;
    if (isKnown && (this.#phone.line.isConnected || callSid !== this.#callSid))
      return { ok: false, reason: "resume_invalid" };
    this.#connect(this.#phone, connection, NO_TOKEN);
    if (!isKnown) this.#answer(connection);
    const input = this.#inputOf(this.#phone, connection, {
      onAudio: (samples) => {
        this.#recorded?.recording.hear(samples);
        this.#keys.hear(samples);
        this.#bridge.hearPhone(samples);
      },
      onDigit: (digit) => this.#keys.press(digit),
    });
    return { ok: true, input };
  }

  #connect(end: End, connection: CallerConnection, resume: string): void {
    const { plan } = this.#deps;
    end.line.connect(connection)?.close(CLOSE.replaced);
    end.droppedAtMs = undefined;
    const { sessionId, mode } = plan;
    const { format: audio } = connection;
    connection.send({ type: "ready", sessionId, audio, resume, mode, recognition: "server" });
    end.line.catchUp();
  }

  #answer({ format, callSid }: CallerConnection): void {
    const { events, nodeId, now, beginRecording } = this.#deps;
    this.#answeredMs = now();
    this.#callSid = callSid;
    const audio = `${format.encoding}/${format.sampleRate}`;
    events.append({ type: "call.started", nodeId, audio, ...(callSid === undefined ? {} : { callSid }) });
    this.#softphone.line.send({ type: "leg", state: "live" });
    this.#recording = beginRecording().then((recorded) => {
      this.#recorded = recorded;
      return recorded;
    });
  }

  #inputOf(
    end: End,
    connection: CallerConnection,
    { onAudio, onDigit }: { onAudio: (samples: Int16Array) => void; onDigit: (digit: DtmfDigit) => void },
  ): CallerInput {
    const isCurrent = (): boolean => !this.isOver && end.line.isHeldBy(connection);
    const onMessage = (message: Exclude<ClientMessage, { type: "start" }>): void => {
      if (!isCurrent()) return;
      if (message.type === "dtmf") onDigit(message.digit);
      else if (message.type === "hangup") this.end("hangup");
      else if (message.type === "hold" && end === this.#softphone) this.#bridge.hold(message.on);
    };
    return {
      onAudio: (samples) => {
        if (isCurrent()) onAudio(samples);
      },
      onMessage,
      onDropped: () => {
        if (end.line.disconnect(connection)) end.droppedAtMs = this.#deps.now();
      },
    };
  }

  #onPhoneKey(digit: DtmfDigit): void {
    const { frames, events } = this.#deps;
    this.#softphone.line.send({ type: "dtmf", digits: digit });
    frames.publish("call.dtmf", { digit });
    events.append({ type: "call.dtmf", digit });
  }

  #watchTime(nowMs: number): void {
    const { plan, resumeWindowMs } = this.#deps;
    const { maxDurationMs, answerWithinMs } = plan;
    if (this.#answeredMs === undefined) {
      if (nowMs - this.#openedMs >= answerWithinMs) this.end("no_answer");
    } else if (nowMs - this.#answeredMs >= maxDurationMs) this.end("max_duration");
    for (const { droppedAtMs } of [this.#phone, this.#softphone])
      if (droppedAtMs !== undefined && nowMs - droppedAtMs >= resumeWindowMs) this.end("hangup");
  }
}
