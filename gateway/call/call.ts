import type { CallCommandReply } from "@parley/shared/contracts/call-commands.ts";
import type { CallMessage } from "@parley/shared/contracts/call-socket.ts";
import { CLOSE, type CloseReason } from "@parley/shared/contracts/close-codes.ts";
import type { CallParts } from "./call-parts.ts";
import type { CallerConnection } from "./line.ts";
import type { Arrival, Attachment, CallerInput, CallOrder, LiveCall } from "./live-call.ts";

/** Durations, silence and keys are looked at every so many ticks: a thousand calls tick. */
const TICKS_A_ROUND = 5;

/** One live call: joins line, ears, conversation, mouth and recording, and ends them together. */
export class Call implements LiveCall {
  readonly #parts: CallParts;
  readonly #startedMs: number;
  #droppedAtMs: number | undefined;
  #transferringUntilMs = 0;
  #hasGreeted = false;
  #callSid: string | undefined;
  #ticks = 0;
  #ending: Promise<void> | undefined;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#startedMs = parts.now();
  }

  get isOver(): boolean {
    return this.#ending !== undefined;
  }

  /** Resolves when the call's record is complete; never before `end`. */
  get ended(): Promise<void> | undefined {
    return this.#ending;
  }

  /** Connects a socket: the first one, or one that may take the call over. */
  attach(connection: CallerConnection, { resume }: Arrival): Attachment {
    const { line, plan, resumeToken, recognition } = this.#parts;
    if (this.isOver) return { ok: false, reason: "ended" };
    if (this.#hasGreeted && !this.#mayTakeOver(connection, resume))
      return { ok: false, reason: "resume_invalid" };
    line.connect(connection)?.close(CLOSE.replaced);
    this.#droppedAtMs = undefined;
    const { sessionId, mode } = plan;
    connection.send({
      type: "ready",
      sessionId,
      audio: connection.format,
      resume: resumeToken,
      mode,
      recognition,
    });
    line.catchUp();
    if (this.#hasGreeted) this.#goOn();
    else this.#greet(connection);
    return { ok: true, input: this.#inputOf(connection) };
  }

  /** Called every 20 ms. */
  tick(): void {
    if (this.isOver) return;
    const { now, ears, mouth, conversation, recording } = this.#parts;
    const nowMs = now();
    ears.tick(nowMs);
    conversation.tick(nowMs);
    mouth.tick();
    recording?.tick(nowMs);
    this.#ticks += 1;
    if (this.#ticks % TICKS_A_ROUND === 0) this.#lookAround(nowMs);
  }

  /** What may be up to 100 ms late. */
  #lookAround(nowMs: number): void {
    const { plan, keypad, resumeWindowMs } = this.#parts;
    if (nowMs - this.#startedMs >= plan.maxDurationMs) {
      this.end("max_duration");
      return;
    }
    if (this.#droppedAtMs !== undefined && nowMs - this.#droppedAtMs >= resumeWindowMs) {
      this.end("hangup");
      return;
    }
    keypad.tick();
    this.#watchSilence(nowMs);
  }

  /** Says a line in the agent's voice. */
  say(text: string): void {
    const { agent, conversation } = this.#parts;
    agent.say({ text, turn: conversation.turn, interruptible: true });
  }

  /** The agent falls silent and answers nothing for `ms`; 0 lets it speak again. */
  hush(ms: number): void {
    this.#parts.agent.hush(ms);
  }

  /** Says its last words, which nobody can talk over, and ends the call with `reason`. */
  leave(text: string, reason: string): void {
    const { agent, conversation } = this.#parts;
    agent.hush(0);
    agent.say({ text, turn: conversation.turn, interruptible: false, endReason: reason });
  }

  /** The carrier takes the caller elsewhere: for `ms` a hang-up is that of its media; 0 takes it back. */
  transferring(ms: number): void {
    this.#transferringUntilMs = this.#parts.now() + ms;
  }

  obey(order: CallOrder): CallCommandReply {
    switch (order.command) {
      case "say":
        this.say(order.text);
        return { ok: true };
      case "hush":
        this.hush(order.ms);
        return { ok: true };
      case "leave":
        this.leave(order.text, order.reason);
        return { ok: true };
      case "transferring":
        this.transferring(order.ms);
        return { ok: true };
      case "play":
      case "play_track":
        return { ok: false, code: "bad_request", message: "Only manual calls have audio played into them." };
      case "answer":
        return { ok: false, code: "bad_request", message: "Only incoming manual calls are answered." };
    }
  }

  /** Ends the call, once; the first reason counts. */
  end(why: string, close: CloseReason = CLOSE.ended): void {
    if (this.isOver) return;
    const isTransferred = why === "hangup" && this.#parts.now() < this.#transferringUntilMs;
    const reason = isTransferred ? "transferred" : why;
    const { agent, ears, line, frames, onEnded, now } = this.#parts;
    const durationSecs = Math.floor((now() - this.#startedMs) / 1000);
    agent.close();
    ears.close();
    // `ended` comes before a close with 1000 only (call-socket contract).
    if (close === CLOSE.ended) line.send({ type: "ended", reason });
    line.close(close);
    frames.publish("call.ended", { reason, durationSecs });
    this.#ending = this.#complete(reason, durationSecs).finally(() => onEnded(reason));
  }

  async #complete(reason: string, durationSecs: number): Promise<void> {
    const { storeRecording, events } = this.#parts;
    await storeRecording();
    events.append({ type: "call.ended", reason, status: "completed", durationSecs });
  }

  /** With the resume token, or as the leg whose connection broke: a carrier that comes again has no token. */
  #mayTakeOver({ callSid }: CallerConnection, resume: string | undefined): boolean {
    const { line, resumeToken } = this.#parts;
    if (resume === resumeToken) return true;
    return callSid !== undefined && callSid === this.#callSid && !line.isConnected;
  }

  #greet(connection: CallerConnection): void {
    const { plan, events, agent, nodeId } = this.#parts;
    this.#hasGreeted = true;
    const { format, callSid } = connection;
    this.#callSid = callSid;
    const audio = `${format.encoding}/${format.sampleRate}`;
    events.append({ type: "call.started", nodeId, audio, ...(callSid === undefined ? {} : { callSid }) });
    connection.send({ type: "state", state: "listening" });
    if (!plan.firstResponse) return;
    const interruptible = plan.turnTaking.firstResponseInterruptible;
    agent.say({ text: plan.firstResponse, turn: 0, interruptible });
  }

  #goOn(): void {
    const { conversation, mouth, line } = this.#parts;
    line.send({ type: "state", state: conversation.activity });
    if (!conversation.isHeldByVoice) mouth.resume();
  }

  #inputOf(connection: CallerConnection): CallerInput {
    const { ears, recording, line, mouth } = this.#parts;
    return {
      onAudio: (samples) => {
        if (this.isOver) return;
        recording?.hear(samples);
        ears.hear(samples);
      },
      onMessage: (message) => this.#onMessage(message),
      onDropped: () => {
        if (!line.disconnect(connection) || this.isOver) return;
        this.#droppedAtMs = this.#parts.now();
        mouth.hold();
      },
    };
  }

  #onMessage(message: CallMessage): void {
    if (this.isOver) return;
    const { keypad, mouth, conversation, now } = this.#parts;
    switch (message.type) {
      case "text":
        conversation.dispatch({ type: "typed", text: message.text, source: "text", nowMs: now() });
        break;
      case "dtmf":
        keypad.press(message.digit, "message");
        break;
      case "mark":
        mouth.onMark(message.name);
        break;
      case "clear":
        mouth.onPlayed(message.playedMs);
        break;
      case "hangup":
        this.end("hangup");
        break;
    }
  }

  #watchSilence(nowMs: number): void {
    const { conversation, silence, frames } = this.#parts;
    if (!conversation.isIdle || this.#droppedAtMs !== undefined) {
      silence.disturb(nowMs);
      if (conversation.callerHasFloor) silence.callerTookPart(nowMs);
      return;
    }
    const due = silence.check(nowMs);
    if (!due) return;
    frames.publish("call.silence", { silentMs: due.silentMs, action: due.action });
    if (due.action === "hangup") this.end("silence_hangup");
    else this.say(due.text);
  }
}
