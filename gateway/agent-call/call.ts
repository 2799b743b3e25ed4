import type { CallCommandReply } from "@parley/shared/contracts/call-commands.ts";
import type { CallMessage } from "@parley/shared/contracts/call-socket.ts";
import { type CallEnd, endFor } from "@parley/shared/contracts/call-status.ts";
import { CLOSE, type CloseReason } from "@parley/shared/contracts/close-codes.ts";
import { type TransferFailure, transferFailedQuery } from "@parley/shared/contracts/transfers.ts";
import type { CallerConnection } from "../call/line.ts";
import type { Attachment, AttachRequest, CallerInput, CallOrder, LiveCall } from "../call/live-call.ts";
import { TransferState } from "../call/transfer-state.ts";
import { type AgentCallOrders, executeOrder, type Transferring } from "./call-orders.ts";
import type { CallParts } from "./call-parts.ts";
import { handOff, MAX_HAND_OFFS, open } from "./openings.ts";
import { SentenceEnd } from "./sentence-end.ts";
import type { HandOffControl } from "./speech-handle.ts";

/** Its node has to go: what a caller's app may show. */
const CUT_BY_RESTART = {
  type: "error",
  code: "draining",
  message: "This node restarts and the call is over; create a new session.",
  fatal: true,
} as const;

/** So many answers in a row nobody could speak: the caller of a phone hears nothing at all. */
const MAX_MUTE_ANSWERS = 2;

/** Durations, silence and keys are looked at every so many ticks: a thousand calls tick. */
const TICKS_A_ROUND = 5;

/** One live call: joins line, input, conversation, output and recording, and ends them together. */
export class Call implements LiveCall, AgentCallOrders {
  readonly #parts: CallParts;
  readonly #startedMs: number;
  #droppedAtMs: number | undefined;
  readonly #transferState: TransferState;
  /** What the agent is told once the caller is back. */
  #failure: TransferFailure | undefined;
  #hasGreeted = false;
  /** The agent had to keep quiet before its first response was said: whoever is there then hears it. */
  #owesFirstResponse = false;
  #callSid: string | undefined;
  #ticks = 0;
  #handOffs = 0;
  /** The call ends when what is being said has come to the end of its sentence. */
  #leaving: { readonly sentence: SentenceEnd; readonly end: () => void } | undefined;
  #ending: Promise<void> | undefined;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#startedMs = parts.now();
    this.#transferState = new TransferState(parts.now);
  }

  get isOver(): boolean {
    return this.#ending !== undefined;
  }

  /** Resolves when the call's record is complete; never before `end`. */
  get ended(): Promise<void> | undefined {
    return this.#ending;
  }

  /** By what its caller is connected. */
  get channel(): "phone" | "web" {
    return this.#callSid === undefined ? "web" : "phone";
  }

  /** Connects a socket: the first one, or one that may take the call over. */
  attach(connection: CallerConnection, arrival: AttachRequest): Attachment {
    const { line, plan, resumeToken, recognition } = this.#parts;
    if (this.isOver) return { ok: false, reason: "ended" };
    if (this.#hasGreeted && !this.#mayTakeOver(connection, arrival))
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
    if (this.#hasGreeted) this.#resumed();
    else this.#greet(connection);
    return { ok: true, input: this.#inputOf(connection) };
  }

  /** Called every 20 ms. */
  tick(): void {
    if (this.isOver) return;
    const { now, input, output, conversation, recording } = this.#parts;
    const nowMs = now();
    input.tick(nowMs);
    conversation.tick(nowMs);
    output.tick();
    if (this.#leaving?.sentence.isSaid(output.reply)) {
      this.#leaving.end();
      return;
    }
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
    if (this.#transferState.isOverdue) this.#overdue();
    keypad.tick();
    this.#watchHearing(nowMs);
    if (!this.isOver) this.#watchSilence(nowMs);
  }

  #watchHearing(nowMs: number): void {
    const { hearing, agent, plan } = this.#parts;
    if (!hearing.isLost) return;
    const isAway = !this.#hasGreeted || this.#droppedAtMs !== undefined || this.#transferState.isInProgress;
    if (isAway || agent.isMuted) {
      hearing.disturb(nowMs);
      return;
    }
    const action = hearing.check(nowMs, { isBusy: agent.isBusy, canType: this.channel === "web" });
    if (action === "say") this.say(plan.outage.hearingLine);
    if (action === "hangup") this.end("internal_error");
  }

  /** An answer had no voice. Who cannot read it is not kept waiting for another one. */
  voiceFailed(inARow: number): void {
    if (this.channel === "phone" && inARow >= MAX_MUTE_ANSWERS) this.end("internal_error");
  }

  /** Says a line in the agent's voice. */
  say(text: string): void {
    const { agent, conversation } = this.#parts;
    agent.say({ text, turn: conversation.turn, interruptible: true });
  }

  /** The agent falls silent and answers nothing for `ms`; 0 lets it speak again, and greet whom it has not greeted. */
  mute(ms: number): void {
    const { agent, plan } = this.#parts;
    if (ms === 0) {
      if (this.#owesFirstResponse && agent.isMuted) this.greet();
      else agent.mute(0);
      return;
    }
    if (agent.line !== undefined && agent.line === plan.firstResponse) this.#owesFirstResponse = true;
    // A farewell that is cut off would leave the call open, and a caller who waits for another's phone with nothing.
    if (agent.isBusy && !agent.isConcluding && !this.#transferState.isInProgress) this.#fallSilent();
    agent.mute(ms);
  }

  /** Says something that nobody can talk over, and answers nothing for `ms`. */
  announce(text: string, ms: number): void {
    const { agent, conversation } = this.#parts;
    agent.mute(ms);
    agent.say({ text, turn: conversation.turn, interruptible: false });
  }

  /** Whoever is there now hears the first response, and is answered. */
  greet(): void {
    this.#owesFirstResponse = false;
    this.#parts.agent.mute(0);
    open(this.#parts);
  }

  /** Another agent goes on. */
  handOff(control: HandOffControl, turn: number): void {
    this.#handOffs += 1;
    if (!this.isOver) handOff(this.#parts, control, { turn, mayHandOn: this.#handOffs < MAX_HAND_OFFS });
  }

  /** Says its last words, which nobody can talk over, and ends the call with `reason`. */
  leave(text: string, reason: string): void {
    const { agent, conversation } = this.#parts;
    agent.mute(0);
    agent.say({ text, turn: conversation.turn, interruptible: false, endReason: reason });
  }

  /** Somebody else's phone rings: the agent keeps quiet until it is known what becomes of it. */
  transferring({ ms, mediaStops, rings }: Transferring): void {
    const { agent, conversation } = this.#parts;
    this.#transferState.begin({ ms, mediaStops });
    if (agent.isBusy) this.#fallSilent();
    agent.mute(ms);
    if (rings) agent.ring(conversation.turn);
  }

  /** The caller stays with the agent, which is told so when the transfer was its own. */
  transferFailed(why: TransferFailure, tell: boolean): void {
    const { agent, now } = this.#parts;
    this.#transferState.end();
    agent.stopRinging();
    agent.mute(0);
    this.#failure = tell ? why : undefined;
    // A carrier that has the caller's media brings it back as soon as it may.
    if (this.#transferState.isAway) this.#droppedAtMs = now();
    else this.#tellFailure();
  }

  quiet(): { quietMs?: number } {
    return this.#parts.conversation.quiet();
  }

  execute(order: CallOrder): CallCommandReply {
    return executeOrder(this, order);
  }

  endAfterSentence(because: string, close: CloseReason): void {
    const { output, now, leadMs } = this.#parts;
    const sentence = new SentenceEnd(output.reply, { now, leadMs });
    this.#leaving = { sentence, end: () => this.end(because, close) };
  }

  /** Ends the call, once; the first reason counts. */
  end(because: string, close: CloseReason = CLOSE.ended): void {
    if (this.isOver) return;
    const end = endFor(this.#hasGreeted ? "in-progress" : "queued", because);
    const { reason } = end;
    const { agent, input, line, frames, onEnded, now } = this.#parts;
    const durationSecs = Math.floor((now() - this.#startedMs) / 1000);
    agent.close();
    input.close();
    // `ended` comes before a close with 1000 only (docs/call-socket.md#how-a-socket-ends).
    if (close === CLOSE.ended) line.send({ type: "ended", reason });
    if (close === CLOSE.restarting) line.send(CUT_BY_RESTART);
    line.close(close);
    frames.publish("call.ended", { reason, durationSecs });
    this.#ending = this.#complete(end, durationSecs).finally(() => onEnded({ reason, durationSecs }));
  }

  async #complete(end: CallEnd, durationSecs: number): Promise<void> {
    const { storeRecording, events, floor } = this.#parts;
    await storeRecording();
    events.append({ type: "call.ended", ...end, durationSecs, ...floor.take() });
  }

  /**
   * With the resume token, or as the leg whose connection broke: a carrier that comes again has no token. Back from a
   * transfer its new ticket is enough: not every carrier names the leg.
   */
  #mayTakeOver({ callSid }: CallerConnection, { resume, end, hasFreshTicket }: AttachRequest): boolean {
    const { line, resumeToken } = this.#parts;
    if (resume === resumeToken) return true;
    if (line.isConnected) return false;
    const isSame = callSid !== undefined && callSid === this.#callSid;
    return (
      isSame || (this.#transferState.isAway && end === "leg" && hasFreshTicket && callSid === this.#callSid)
    );
  }

  #greet(connection: CallerConnection): void {
    const { events, agent, nodeId } = this.#parts;
    this.#hasGreeted = true;
    const { format, callSid } = connection;
    this.#callSid = callSid;
    const audio = `${format.encoding}/${format.sampleRate}`;
    events.append({ type: "call.started", nodeId, audio, ...(callSid === undefined ? {} : { callSid }) });
    connection.send({ type: "state", state: "listening" });
    if (agent.isMuted) this.#owesFirstResponse = true;
    else open(this.#parts);
  }

  #resumed(): void {
    const { metrics, tally } = this.#parts;
    tally.resumed();
    metrics.callResumesTotal.inc();
    this.#goOn();
  }

  #goOn(): void {
    const { conversation, output, line } = this.#parts;
    line.send({ type: "state", state: conversation.activity });
    if (!conversation.isHeldByVoice) output.resume();
    if (!this.#transferState.isAway) return;
    this.#transferState.back();
    // It comes back for one reason only, whether we were told of it or not.
    if (this.#transferState.isInProgress) this.transferFailed("failed", true);
    else this.#tellFailure();
  }

  #tellFailure(): void {
    const { conversation, now } = this.#parts;
    const why = this.#failure;
    this.#failure = undefined;
    if (why === undefined) return;
    const text = transferFailedQuery(why);
    conversation.dispatch({ type: "typed", text, source: "call", nowMs: now() });
  }

  /** Whose media is away talks to somebody else; who is still here was not answered. */
  #overdue(): void {
    if (this.#transferState.isAway) this.end("transferred");
    else this.transferFailed("no-answer", true);
  }

  #inputOf(connection: CallerConnection): CallerInput {
    const { input, recording, line, output } = this.#parts;
    return {
      onAudio: (samples) => {
        if (this.isOver) return;
        recording?.hear(samples);
        input.hear(samples);
      },
      onMessage: (message) => {
        if (message.type === "hangup" && this.#transferState.takesMedia()) this.#leave(connection);
        else this.#onMessage(message);
      },
      onDropped: () => {
        if (!line.isHeldBy(connection) || this.isOver) return;
        if (this.#transferState.takesMedia()) return this.#leave(connection);
        line.disconnect(connection);
        this.#droppedAtMs = this.#parts.now();
        this.#parts.tally.dropped();
        this.#parts.metrics.callDropsTotal.inc();
        output.hold();
      },
    };
  }

  /** The carrier has taken the caller elsewhere. */
  #leave(connection: CallerConnection): void {
    const { line, agent } = this.#parts;
    line.disconnect(connection);
    agent.stopRinging();
    this.#fallSilent();
  }

  #fallSilent(): void {
    const { agent, conversation, now } = this.#parts;
    agent.abandon();
    conversation.dispatch({ type: "reply_finished", nowMs: now() });
  }

  #onMessage(message: CallMessage): void {
    if (this.isOver) return;
    const { keypad, output, conversation, now } = this.#parts;
    switch (message.type) {
      case "text":
        conversation.dispatch({ type: "typed", text: message.text, source: "text", nowMs: now() });
        break;
      case "dtmf":
        keypad.press(message.digit, "message");
        break;
      case "mark":
        output.onMark(message.name);
        break;
      case "clear":
        output.onPlayed(message.playedMs);
        break;
      case "hangup":
        this.end("hangup");
        break;
    }
  }

  #watchSilence(nowMs: number): void {
    const { conversation, silence, frames } = this.#parts;
    silence.noteTurn(conversation.turn, nowMs);
    if (!conversation.isIdle || this.#droppedAtMs !== undefined || this.#transferState.isInProgress) {
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
