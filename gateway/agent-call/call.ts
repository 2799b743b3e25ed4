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

/** Tells the caller that the node is shutting down; their app may display this text. */
const CUT_BY_RESTART = {
  type: "error",
  code: "draining",
  message: "This node is restarting and the call has ended. Create a new session.",
  fatal: true,
} as const;

/** After this many consecutive answers without a voice, a phone caller hears nothing at all. */
const MAX_MUTE_ANSWERS = 2;

/** Ticks between checks of durations, silence and keys. A node ticks a thousand calls. */
const TICKS_A_ROUND = 5;

/** One live call: joins line, input, conversation, output and recording, and ends them together. */
export class Call implements LiveCall, AgentCallOrders {
  readonly #parts: CallParts;
  readonly #startedMs: number;
  #droppedAtMs: number | undefined;
  readonly #transferState: TransferState;
  /** The failure to tell the agent about once the caller is back. */
  #failure: TransferFailure | undefined;
  #hasGreeted = false;
  /** The agent had to keep quiet before saying its first response; it greets whoever is there afterwards. */
  #owesFirstResponse = false;
  #callSid: string | undefined;
  #ticks = 0;
  #handOffs = 0;
  /** Set while the call waits for the end of the current sentence before it ends. */
  #leaving: { readonly sentence: SentenceEnd; readonly end: () => void } | undefined;
  #isOver = false;
  #ending: Promise<void> | undefined;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#startedMs = parts.now();
    this.#transferState = new TransferState(parts.now);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when the call's record is complete; never before `end`. */
  get ended(): Promise<void> | undefined {
    return this.#ending;
  }

  /** How the caller is connected. */
  get channel(): "phone" | "web" {
    return this.#callSid === undefined ? "web" : "phone";
  }

  /** Connects a socket: the first one, or a later one with the right to take the call over. */
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

  /** Runs the checks that may be up to 100 ms late. */
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

  /** Handles an answer that had no voice. A caller who cannot read the answer does not wait for another one. */
  voiceFailed(inARow: number): void {
    if (this.channel === "phone" && inARow >= MAX_MUTE_ANSWERS) this.end("internal_error");
  }

  /** Says a line in the agent's voice. */
  say(text: string): void {
    const { agent, conversation } = this.#parts;
    agent.say({ text, turn: conversation.turn, interruptible: true });
  }

  /** Silences the agent for `ms`; 0 lets it speak again and say a first response that it still owes. */
  mute(ms: number): void {
    const { agent, plan } = this.#parts;
    if (ms === 0) {
      if (this.#owesFirstResponse && agent.isMuted) this.greet();
      else agent.mute(0);
      return;
    }
    if (agent.line !== undefined && agent.line === plan.firstResponse) this.#owesFirstResponse = true;
    // Cutting off a farewell would leave the call open; cutting off ringback would leave the caller with nothing.
    if (agent.isBusy && !agent.isConcluding && !this.#transferState.isInProgress) this.#fallSilent();
    agent.mute(ms);
  }

  /** Says an uninterruptible line and answers nothing for `ms`. */
  announce(text: string, ms: number): void {
    const { agent, conversation } = this.#parts;
    agent.mute(ms);
    agent.say({ text, turn: conversation.turn, interruptible: false });
  }

  /** Says the first response to whoever is there now and answers them from then on. */
  greet(): void {
    this.#owesFirstResponse = false;
    this.#parts.agent.mute(0);
    open(this.#parts);
  }

  /** Lets another agent take over. */
  handOff(control: HandOffControl, turn: number): void {
    this.#handOffs += 1;
    if (!this.isOver) handOff(this.#parts, control, { turn, mayHandOn: this.#handOffs < MAX_HAND_OFFS });
  }

  /** Says uninterruptible last words, then ends the call with `reason`. */
  leave(text: string, reason: string): void {
    const { agent, conversation } = this.#parts;
    agent.mute(0);
    agent.say({ text, turn: conversation.turn, interruptible: false, endReason: reason });
  }

  /** Keeps the agent quiet while another person's phone rings, until the outcome of the transfer is known. */
  transferring({ ms, mediaStops, rings }: Transferring): void {
    const { agent, conversation } = this.#parts;
    this.#transferState.begin({ ms, mediaStops });
    if (agent.isBusy) this.#fallSilent();
    agent.mute(ms);
    if (rings) agent.ring(conversation.turn);
  }

  /** Keeps the caller with the agent, which is told so if it had ordered the transfer. */
  transferFailed(why: TransferFailure, tell: boolean): void {
    const { agent, now } = this.#parts;
    this.#transferState.end();
    agent.stopRinging();
    agent.mute(0);
    this.#failure = tell ? why : undefined;
    // A carrier that holds the caller's media brings it back as soon as it can.
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
    // Closing a line may report its hang-up at once.
    this.#isOver = true;
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
   * Allows a takeover with the resume token, or by the leg whose connection broke, since a reconnecting carrier has no
   * token. After a transfer a new ticket is enough, because not every carrier names the leg.
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
    // The caller's media returns only if the transfer failed, whether or not anyone reported that.
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

  /** If the caller's media is away, they are talking to the transfer's target; otherwise nobody answered. */
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

  /** Handles the carrier taking the caller elsewhere. */
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
      // Only softphones hold.
      case "hold":
        break;
      default:
        message satisfies never;
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
