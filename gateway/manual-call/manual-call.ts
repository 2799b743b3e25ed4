import { ANSWERED_COMES_WITHIN_MS, type CallCommandReply } from "@parley/shared/contracts/call-commands.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import type { ManualPlan } from "@parley/shared/contracts/call-plan.ts";
import type { CallMessage } from "@parley/shared/contracts/call-socket.ts";
import type { CallEnd } from "@parley/shared/contracts/call-status.ts";
import { CLOSE, type CloseReason } from "@parley/shared/contracts/close-codes.ts";
import type { TransferFailure } from "@parley/shared/contracts/transfers.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FramePublisher } from "../call/frames.ts";
import { type CallerConnection, CallerLine } from "../call/line.ts";
import type { Attachment, AttachRequest, CallerInput, CallOrder, LiveCall } from "../call/live-call.ts";
import type { RecordedCall } from "../call/open-recording.ts";
import { TransferState } from "../call/transfer-state.ts";
import type { CallEventWriter } from "../events/call-event-log.ts";
import { Bridge } from "./bridge.ts";
import { endOfManual } from "./ending.ts";
import { PhoneKeys } from "./phone-keys.ts";
import type { WavSource } from "./wav-source.ts";

type PlayOrder = Extract<CallOrder, { command: "play" | "play_track" }>;

export interface ManualCallDeps {
  readonly plan: ManualPlan;
  readonly nodeId: string;
  readonly resumeToken: string;
  readonly resumeWindowMs: number;
  readonly now: () => number;
  readonly frames: Pick<FramePublisher, "publish">;
  readonly events: CallEventWriter;
  readonly wavs: WavSource;
  /** Called once, when both sides are there. */
  readonly beginRecording: () => Promise<RecordedCall | undefined>;
  readonly onEnded: (end: { reason: string; durationSecs: number }) => void;
}

/** One end of the call; `droppedAtMs` is when its connection broke. */
interface End {
  readonly line: CallerLine;
  droppedAtMs: number | undefined;
}

const NO_TOKEN = "";
const QUALITY_EVERY_MS = 2_000;

/** A call between two people: one on a phone and the other, if anyone, on a softphone. */
export class ManualCall implements LiveCall {
  readonly #deps: ManualCallDeps;
  readonly #phone: End = { line: new CallerLine(), droppedAtMs: undefined };
  readonly #softphone: End = { line: new CallerLine(), droppedAtMs: undefined };
  readonly #bridge: Bridge;
  readonly #keys: PhoneKeys;
  /** The deadline by which the called side must have answered. */
  #answerByMs: number;
  #answeredMs: number | undefined;
  #toldQualityMs = 0;
  /** True once the phone's audio has connected. */
  #hasPhone = false;
  #callSid: string | undefined;
  #recording: Promise<RecordedCall | undefined> | undefined;
  #recorded: RecordedCall | undefined;
  readonly #transferState: TransferState;
  /** Why the transfer of the phone failed, until its media is back and the failure is reported. */
  #failure: TransferFailure | undefined;
  #plays = 0;
  #isOver = false;
  #ending: Promise<void> | undefined;

  constructor(deps: ManualCallDeps) {
    this.#deps = deps;
    const { now } = deps;
    this.#answerByMs = now() + deps.plan.answerWithinMs;
    this.#transferState = new TransferState(now);
    this.#keys = new PhoneKeys({ now, onDigit: (digit) => this.#onPhoneKey(digit) });
    this.#bridge = new Bridge({
      now,
      toPhone: (frame, dueMs) => {
        this.#phone.line.sendFrame(frame);
        this.#recorded?.recording.speak(frame, dueMs);
      },
      toSoftphone: (frame) => this.#softphone.line.sendFrame(frame),
    });
    this.#bridge.ring(deps.plan.incoming);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get ended(): Promise<void> | undefined {
    return this.#ending;
  }

  attach(connection: CallerConnection, arrival: AttachRequest): Attachment {
    if (this.isOver) return { ok: false, reason: "ended" };
    return arrival.end === "leg"
      ? this.#attachPhone(connection, arrival)
      : this.#attachSoftphone(connection, arrival);
  }

  tick(): void {
    if (this.isOver) return;
    const nowMs = this.#deps.now();
    // Before the phone answers, nobody would hear a playback.
    if (this.#phone.line.isConnected) this.#bridge.tick();
    this.#keys.tick();
    this.#recorded?.recording.tick(nowMs);
    this.#tellQuality(nowMs);
    this.#watchTime(nowMs);
  }

  async execute(order: CallOrder): Promise<CallCommandReply> {
    switch (order.command) {
      case "transferring":
      case "transfer_failed":
        return this.#transfer(order);
      case "play":
      case "play_track":
        return this.#play(order);
      case "answer":
        this.#answerByMs = Math.max(this.#answerByMs, this.#deps.now() + ANSWERED_COMES_WITHIN_MS);
        return { ok: true };
      case "say":
      case "mute":
      case "announce":
      case "greet":
      case "leave":
      case "voice":
        return { ok: false, code: "bad_request", message: "A manual call has no agent to say anything." };
      default:
        return order satisfies never;
    }
  }

  async #play(order: PlayOrder): Promise<CallCommandReply> {
    this.#plays += 1;
    const turn = this.#plays;
    try {
      const { wavs, plan } = this.#deps;
      const playback = await (order.command === "play"
        ? wavs.fetch(order.url, plan.orgId)
        : wavs.read(order.key));
      const { durationMs } = playback;
      // The latest request plays, whichever file arrives first.
      if (this.isOver || turn !== this.#plays) playback.stop();
      else if (this.#bridge.play(playback)) this.#clear();
      if (this.isOver) return { ok: false, code: "session_ended", message: "The call has ended." };
      return { ok: true, durationMs };
    } catch (error) {
      if (error instanceof AppError) return { ok: false, code: error.code, message: error.message };
      throw error;
    }
  }

  /** Clears audio of the previous file from both ends' buffers. */
  #clear(): void {
    for (const { line } of [this.#phone, this.#softphone]) line.send({ type: "clear" });
  }

  /** The phone is being connected elsewhere; its media comes back if nobody answers there. */
  #transfer(order: Extract<CallOrder, { command: "transferring" | "transfer_failed" }>): CallCommandReply {
    if (order.command === "transferring") this.#transferState.begin(order);
    else {
      this.#transferState.end();
      // A refusal was already reported to the person who asked for the transfer.
      this.#failure = order.tell ? order.why : undefined;
      if (this.#transferState.isAway) this.#phone.droppedAtMs = this.#deps.now();
      else this.#tellFailure();
    }
    return { ok: true };
  }

  #tellFailure(): void {
    if (this.#failure === undefined) return;
    this.#softphone.line.send({ type: "transfer", state: "failed", why: this.#failure });
    this.#failure = undefined;
  }

  /** Ends the call at once: between people, there is no agent's sentence to wait for. */
  endAfterSentence(because: string, close: CloseReason): void {
    this.end(because, close);
  }

  end(because: string, close: CloseReason = CLOSE.ended): void {
    if (this.isOver) return;
    // Closing a line may report its hang-up at once.
    this.#isOver = true;
    const { frames, onEnded, plan } = this.#deps;
    const wasAnswered = this.#answeredMs !== undefined;
    const end = endOfManual(because, { wasAnswered, isIncoming: plan.incoming });
    const { reason } = end;
    this.#bridge.close();
    for (const { line } of [this.#phone, this.#softphone]) {
      if (close === CLOSE.ended) line.send({ type: "ended", reason });
      line.close(close);
    }
    const durationSecs = Math.floor(this.#answeredForMs / 1_000);
    frames.publish("call.ended", { reason, durationSecs });
    this.#ending = this.#complete(end, durationSecs).finally(() => onEnded({ reason, durationSecs }));
  }

  async #complete(end: CallEnd, durationSecs: number): Promise<void> {
    await (await this.#recording)?.store();
    this.#deps.events.append({ type: "call.ended", ...end, durationSecs });
  }

  get #answeredForMs(): number {
    return this.#answeredMs === undefined ? 0 : this.#deps.now() - this.#answeredMs;
  }

  /** Attaches by resume token, or by a new ticket: a second device takes over. */
  #attachSoftphone(connection: CallerConnection, { resume, hasFreshTicket }: AttachRequest): Attachment {
    const { resumeToken, plan } = this.#deps;
    if (resume === undefined ? !hasFreshTicket : resume !== resumeToken)
      return { ok: false, reason: "resume_invalid" };
    this.#connect(this.#softphone, connection, resumeToken);
    // Only a softphone that has answered knows where to connect.
    if (plan.incoming && this.#phone.line.isConnected) this.#answer();
    if (this.#bridge.isHeld) connection.send({ type: "hold", on: true });
    const input = this.#inputOf(this.#softphone, connection, {
      onAudio: (samples) => this.#bridge.hearSoftphone(samples),
      onDigit: (digit) => this.#bridge.press(digit),
    });
    return { ok: true, input };
  }

  /**
   * Attaches the phone. The same leg may return after its connection broke; a leg without an id cannot prove to be the
   * same, so it returns only from a transfer, with its new ticket.
   */
  #attachPhone(connection: CallerConnection, { hasFreshTicket }: AttachRequest): Attachment {
    const { callSid } = connection;
    const isSame = callSid === this.#callSid && (callSid !== undefined || this.#isAwaited(hasFreshTicket));
    if (this.#hasPhone && (this.#phone.line.isConnected || !isSame))
      return { ok: false, reason: "resume_invalid" };
    this.#hasPhone = true;
    this.#callSid = callSid;
    this.#connect(this.#phone, connection, NO_TOKEN);
    if (!this.#deps.plan.incoming || this.#softphone.line.isConnected) this.#answer();
    this.#backFromTransfer();
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

  #backFromTransfer(): void {
    if (!this.#transferState.isAway) return;
    this.#transferState.back();
    this.#softphone.line.send({ type: "leg", state: "live" });
    this.#tellFailure();
  }

  #isAwaited(hasFreshTicket: boolean): boolean {
    return this.#transferState.isAway && hasFreshTicket;
  }

  #connect(end: End, connection: CallerConnection, resume: string): void {
    const { plan } = this.#deps;
    end.line.connect(connection)?.close(CLOSE.replaced);
    end.droppedAtMs = undefined;
    const { sessionId, mode } = plan;
    const { format: audio } = connection;
    connection.send({ type: "ready", sessionId, audio, resume, mode, recognition: "server" });
    connection.send({ type: "leg", state: this.#answeredMs === undefined ? "connecting" : "live" });
    end.line.catchUp();
  }

  /** Marks the call as answered, once: both sides are there, or the called one is. */
  #answer(): void {
    if (this.#answeredMs !== undefined) return;
    const { events, nodeId, now, beginRecording } = this.#deps;
    this.#answeredMs = now();
    this.#toldQualityMs = this.#answeredMs;
    this.#bridge.ring(false);
    const format = this.#phone.line.format;
    const audio = format ? `${format.encoding}/${format.sampleRate}` : "";
    const callSid = this.#callSid;
    events.append({ type: "call.started", nodeId, audio, ...(callSid === undefined ? {} : { callSid }) });
    for (const { line } of [this.#phone, this.#softphone]) line.send({ type: "leg", state: "live" });
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
    const onMessage = (message: CallMessage): void => {
      if (!isCurrent()) return;
      switch (message.type) {
        case "dtmf":
          onDigit(message.digit);
          break;
        case "hangup":
          this.#hungUp(end, connection);
          break;
        case "hold":
          if (end === this.#softphone) this.#bridge.hold(message.on);
          break;
        case "text":
        case "mark":
        case "clear":
          break;
        default:
          message satisfies never;
      }
    };
    return {
      onAudio: (samples) => {
        if (isCurrent()) onAudio(samples);
      },
      onMessage,
      onDropped: () => {
        if (!isCurrent()) return;
        if (end === this.#phone && this.#transferState.takesMedia()) return this.#leave(connection);
        end.line.disconnect(connection);
        end.droppedAtMs = this.#deps.now();
      },
    };
  }

  #hungUp(end: End, connection: CallerConnection): void {
    if (end === this.#phone && this.#transferState.takesMedia()) this.#leave(connection);
    else this.end("hangup");
  }

  /** Handles the carrier taking the phone's media elsewhere. */
  #leave(connection: CallerConnection): void {
    this.#phone.line.disconnect(connection);
    this.#softphone.line.send({ type: "leg", state: "connecting" });
  }

  #onPhoneKey(digit: DtmfDigit): void {
    const { frames, events } = this.#deps;
    // Without an answer, the call has not begun.
    if (this.#answeredMs === undefined) return;
    this.#softphone.line.send({ type: "dtmf", digits: digit });
    frames.publish("call.dtmf", { digit });
    events.append({ type: "call.dtmf", digit });
  }

  #tellQuality(nowMs: number): void {
    if (this.#answeredMs === undefined || nowMs - this.#toldQualityMs < QUALITY_EVERY_MS) return;
    this.#toldQualityMs = nowMs;
    this.#softphone.line.send({ type: "quality", ...this.#bridge.figures() });
  }

  #watchTime(nowMs: number): void {
    const { plan, resumeWindowMs } = this.#deps;
    const { maxDurationMs } = plan;
    if (this.#answeredMs === undefined) {
      if (nowMs >= this.#answerByMs) this.end("no_answer");
    } else if (nowMs - this.#answeredMs >= maxDurationMs) this.end("max_duration");
    if (this.#transferState.isOverdue) {
      if (this.#transferState.isAway) this.end("transferred");
      else this.#transfer({ command: "transfer_failed", why: "failed", tell: true });
    }
    for (const { droppedAtMs } of [this.#phone, this.#softphone])
      if (droppedAtMs !== undefined && nowMs - droppedAtMs >= resumeWindowMs) this.end("hangup");
  }
}
