import { generateDtmf } from "@parley/media/dtmf/generator.ts";
import type { TtsReply } from "@parley/media/tts/port.ts";
import type { BrainPart } from "@parley/shared/brain/client.ts";
import type { BrainControl } from "@parley/shared/contracts/brain-control.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import { agentsEndReason } from "@parley/shared/contracts/call-status.ts";
import { type AnswerRequestDeps, requestAnswer } from "../pipeline/answer-request.ts";
import type { AudioOutput } from "../pipeline/audio-output.ts";
import { PreemptiveGeneration } from "../pipeline/preemptive-generation.ts";
import type { Reply } from "../pipeline/reply.ts";
import { runTurn } from "../pipeline/run-turn.ts";
import { turnOverridesOf } from "../turn/turn-overrides.ts";
import type { BeginTurn, TurnEvent } from "../turn/turn-state.ts";
import { TurnTiming } from "../turn/turn-timing.ts";
import { endTurnSpan } from "../turn/turn-trace.ts";
import type { ConversationSink } from "./conversation-ports.ts";
import { PlaybackLedger } from "./playback-ledger.ts";
import { RINGBACK_MS, ringback } from "./ringback.ts";
import { asParts, endSpan, handOver, newSpeechHandle, nothing, type SpeechHandle } from "./speech-handle.ts";
import { WaitingLine } from "./waiting-line.ts";

/** How long after an answer's first token its voice still counts as about to be heard. */
const COMING_MS = 1_000;

export interface AgentSpeechDeps {
  readonly requests: AnswerRequestDeps;
  /** Lines the agent says unprompted when an answer is slow or nobody hears the caller. An empty line is not said. */
  readonly lines: { readonly waiting: CallPlan["waiting"]; readonly hearing: string };
  /** True while nobody hears the caller. */
  readonly isDeaf: () => boolean;
  readonly output: AudioOutput;
  readonly openVoice: (signal: AbortSignal) => TtsReply;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Calls `fn` once after `ms`; the returned function cancels it. */
  readonly after: (ms: number, fn: () => void) => () => void;
  readonly sink: ConversationSink;
  /** Tells the turn state what became of a speech. */
  readonly dispatch: (event: TurnEvent) => void;
}

/** What the agent says, one speech at a time, and how much of the previous speech the caller heard. */
export class AgentSpeech {
  readonly #deps: AgentSpeechDeps;
  readonly #preemptive: PreemptiveGeneration;
  #current: SpeechHandle | undefined;
  #requests: AnswerRequestDeps;
  #openVoice: AgentSpeechDeps["openVoice"];
  readonly #ledger: PlaybackLedger;
  readonly #waiting: WaitingLine;
  #mutedUntilMs = 0;
  #failedVoices = 0;
  /** Set while another person's phone rings in the caller's ear. */
  #stopRinging: (() => void) | undefined;

  constructor(deps: AgentSpeechDeps) {
    this.#deps = deps;
    this.#requests = deps.requests;
    this.#openVoice = deps.openVoice;
    this.#ledger = new PlaybackLedger(deps);
    const onHeard = this.#ledger.line.bind(this.#ledger);
    const openVoice: AgentSpeechDeps["openVoice"] = (signal) => this.#openVoice(signal);
    this.#waiting = new WaitingLine({ ...deps, openVoice, lines: deps.lines.waiting, onHeard });
    this.#preemptive = new PreemptiveGeneration({
      onOutcome: (outcome) => deps.sink.onPreemptive(outcome),
      onDropped: ({ span, timing }) => endTurnSpan(span, { timing, outcome: "abandoned", nowMs: deps.now() }),
    });
  }

  /** True while the agent is requesting or saying something. */
  get isBusy(): boolean {
    return this.#current !== undefined || this.#waiting.isBeingSaid;
  }

  /** True while the agent says its last words, or a speech that ends by handing the caller over. */
  get isConcluding(): boolean {
    const { endReason, transfer, handOff } = this.#current ?? {};
    return endReason !== undefined || transfer !== undefined || handOff !== undefined;
  }

  /** True while the answer's words are there and its voice is due any moment. */
  get isAnswerComing(): boolean {
    const firstTokenMs = this.#current?.timing.at("firstToken");
    return firstTokenMs !== undefined && this.#deps.now() < firstTokenMs + COMING_MS;
  }

  /** True while another person's phone rings in the caller's ear. */
  get isRinging(): boolean {
    return this.#stopRinging !== undefined;
  }

  /** The agent's own line that is being said now. */
  get line(): string | undefined {
    return this.#current?.words;
  }

  /** True while the agent answers nothing. */
  get isMuted(): boolean {
    return this.#deps.now() < this.#mutedUntilMs;
  }

  /** Replaces the current speech with a line of the agent's own (greeting, prompt, farewell). */
  say(line: { text: string; turn: number; interruptible: boolean; endReason?: string }): void {
    this.abandon();
    const speech = this.#open(line.turn, "line", new TurnTiming(), line.text);
    speech.endReason = line.endReason;
    this.#speak(speech, asParts(line.text), line.interruptible);
  }

  /** Asks the brain and speaks its answer. */
  async answer(begin: BeginTurn): Promise<void> {
    const requests = this.#requests;
    const adopted = begin.adoptsPreemptive ? this.#preemptive.adopt(begin.query) : undefined;
    if (this.#stopRinging) {
      adopted?.controller.abort();
      return this.#letRing(begin);
    }
    const timing = adopted?.timing ?? new TurnTiming();
    timing.note("endOfVoice", begin.endOfVoiceMs);
    timing.note("decided", begin.decidedAtMs);
    // A waiting line plays on: the answer follows it.
    if (this.#current) this.abandon();
    const speech = this.#open(begin.turn, "answer", timing);
    speech.isOpening = begin.query === "";
    const { signal } = speech.generation;
    if (this.#ledger.awaitsCut) await this.#ledger.cutIsKnown(signal);
    this.#ledger.closeCut();
    this.#tellSaid(begin);
    if (signal.aborted) {
      adopted?.controller.abort();
      if (adopted) endSpan({ ...speech, span: adopted.span }, "abandoned", this.#deps.now());
      return;
    }
    if (this.isMuted) {
      adopted?.controller.abort();
      this.#speak(speech, nothing(), true);
      return;
    }
    const { query, turn } = begin;
    const told = this.#ledger.before(turn);
    const request = adopted ?? requestAnswer({ query, turn, ...told }, timing, requests);
    speech.span = request.span;
    signal.addEventListener("abort", () => request.controller.abort(), { once: true });
    this.#speak(speech, request.parts, begin.interruptible ?? true);
  }

  /** From here on another agent answers, in its own voice. */
  become({ requests, openVoice }: Pick<AgentSpeechDeps, "requests" | "openVoice">): void {
    this.#preemptive.drop();
    this.#requests = requests;
    this.#openVoice = openVoice;
  }

  /** Plays only ringback to the caller until `stopRinging`. */
  ring(turn: number): void {
    if (this.#stopRinging) return;
    this.abandon();
    const { output, after } = this.#deps;
    const speech = this.#open(turn, "line", new TurnTiming());
    const reply = output.begin({ turn, interruptible: false });
    speech.reply = reply;
    const once = (): void => {
      reply.write(ringback());
      output.tick();
      this.#stopRinging = after(RINGBACK_MS, once);
    };
    once();
  }

  stopRinging(): void {
    if (!this.#stopRinging) return;
    this.#stopRinging();
    this.#stopRinging = undefined;
    this.abandon();
  }

  /** Keeps the agent from answering for `ms`; 0 lets it answer again. */
  mute(ms: number): void {
    this.#mutedUntilMs = this.#deps.now() + ms;
  }

  /** Asks the brain before the turn is certain to be over. */
  startPreemptive(query: string, turn: number): void {
    const told = this.#ledger.before(turn);
    const requests = this.#requests;
    this.#preemptive.start(requestAnswer({ query, turn, ...told }, new TurnTiming(), requests));
  }

  dropPreemptive(): void {
    this.#preemptive.drop();
  }

  /** Answers speech that nobody understood with the fallback line or, while the agent is deaf, the hearing line. */
  sayNotUnderstood(turn: number): void {
    const { lines, isDeaf } = this.#deps;
    const text = isDeaf() ? lines.hearing : this.#requests.plan.fallbackLine;
    if (text !== "" && text !== this.line) this.say({ text, turn, interruptible: true });
  }

  /** Says that the answer is on its way, unless the answer is already audible or nothing may be said. */
  sayWaiting(turn: number): void {
    const { output } = this.#deps;
    if (this.isMuted || this.#stopRinging || this.#ledger.hasCut || output.isHeld) return;
    const { kind, reply } = this.#current ?? {};
    const hasWords = kind === "line" || (reply && (reply.clauses.length > 0 || reply.hasAudio));
    if (!hasWords) this.#waiting.say(turn);
  }

  dropWaiting(): void {
    this.#waiting.drop();
  }

  /** Lowers the volume until an interruption is confirmed or dismissed. Returns how much of the speech is unheard. */
  duck(): { unheardMs: number } {
    const { output, now } = this.#deps;
    output.duck();
    return { unheardMs: output.reply?.unheardMs(now()) ?? 0 };
  }

  restore(): void {
    this.#deps.output.restore();
  }

  /** Stops the loudspeaker. Returns how much of the speech is left unheard. */
  hold(): { unheardMs: number } {
    const { output, now } = this.#deps;
    output.hold();
    return { unheardMs: output.reply?.unheardMs(now()) ?? 0 };
  }

  resume(): void {
    this.#deps.output.resume();
  }

  /** Confirms the interruption: this speech gets nothing more from the brain or the voice. */
  abortGeneration(): void {
    this.#current?.generation.abort();
  }

  /** Ends the speech where it was held; `answer` then reports how much of it was heard. */
  cut(): void {
    this.#current?.generation.abort();
    this.#ledger.cut(this.#current);
    this.#current = undefined;
  }

  /** Gives up the current request or speech at once. */
  abandon(): void {
    this.#waiting.drop();
    const current = this.#current;
    if (!current) return;
    current.generation.abort();
    this.#current = undefined;
    // Audio already on its way to the loudspeaker must not play over what comes next.
    if (current.reply?.hasAudio) this.#deps.output.hold();
    this.#ledger.abandoned(current);
    endSpan(current, "abandoned", this.#deps.now());
    this.#deps.output.drop();
  }

  /** Ends the agent's speech with the call and reports what was heard so far. */
  close(): void {
    this.stopRinging();
    this.#preemptive.drop();
    this.#ledger.closeCut();
    this.abandon();
  }

  onReplyStarted(reply: Reply): void {
    const speech = this.#current;
    if (speech?.reply !== reply) return;
    const { now, sink, dispatch } = this.#deps;
    const nowMs = now();
    speech.timing.note("firstFrame", nowMs);
    dispatch({ type: "reply_started", interruptible: reply.interruptible, nowMs });
    // An opening answers nobody, so it has no turn metrics.
    if (speech.kind === "answer" && !speech.isOpening)
      sink.onTurnMetrics(speech.turn, speech.timing.metrics());
  }

  onClause(reply: Reply, clauseIndex: number): void {
    const spoken = reply.clauses.slice(0, clauseIndex + 1).map((clause) => clause.text.trim());
    this.#deps.sink.onPartial("assistant", spoken.join(" "), reply.turn);
  }

  onReplyFinished(reply: Reply): void {
    if (this.#waiting.finished(reply)) return;
    const speech = this.#current;
    if (speech?.reply !== reply) return;
    const { sink, dispatch, now } = this.#deps;
    this.#current = undefined;
    this.#ledger.finished(speech, reply);
    endSpan(speech, "finished", now());
    dispatch({ type: "reply_finished", nowMs: now() });
    if (speech.transfer) handOver(speech.transfer, sink);
    if (speech.handOff) sink.onHandOffDue(speech.handOff, speech.turn);
    if (speech.endReason !== undefined) sink.onLastWords(speech.endReason);
  }

  /** Records what the caller says while they are put through; nobody answers them. */
  #letRing(begin: BeginTurn): void {
    this.#ledger.closeCut();
    this.#tellSaid(begin);
    this.#deps.dispatch({ type: "reply_finished", nowMs: this.#deps.now() });
  }

  #tellSaid({ turn, source, addedText: text, query: wholeText }: BeginTurn): void {
    if (text === "" || source === "call") return;
    this.#deps.sink.onMessage({ turn, role: "user", text, wholeText, interrupted: false, source });
  }

  #open(turn: number, kind: SpeechHandle["kind"], timing: TurnTiming, words?: string): SpeechHandle {
    this.#current = newSpeechHandle(turn, kind, timing, words);
    return this.#current;
  }

  #speak(speech: SpeechHandle, parts: AsyncIterable<BrainPart>, interruptible: boolean): void {
    const { output, sink, after, now } = this.#deps;
    const { turn, timing, generation } = speech;
    const { clauseFlushMs, fallbackLine } = this.#requests.plan;
    const reply = output.begin({ turn, interruptible });
    speech.reply = reply;
    void runTurn(
      reply,
      {
        request: () => parts,
        openVoice: this.#openVoice,
        clauseOptions: { clauseFlushMs, after },
        control: (control) => this.#control(control, speech),
        fallbackLine,
        onBrainFailed: (error) => sink.onBrainFailed(error),
        onVoiceFailed: (error) => {
          // People who read along still get the words that no voice speaks.
          sink.onPartial("assistant", reply.text, turn);
          this.#failedVoices += 1;
          sink.onVoiceFailed(error, this.#failedVoices);
        },
        onVoiceWorked: () => {
          this.#failedVoices = 0;
        },
        onVoiceAsked: () => timing.note("voiceAsked", now()),
        onVoiceHeard: () => timing.note("voiceHeard", now()),
        onWritten: () => output.reply === reply && output.tick(),
      },
      generation.signal,
    );
  }

  #control(control: BrainControl, speech: SpeechHandle): void {
    const { dispatch, output, sink } = this.#deps;
    switch (control.event) {
      case "call_end":
        speech.endReason = agentsEndReason(this.#requests.plan);
        dispatch({ type: "overrides", overrides: { interruptible: false } });
        break;
      case "transfer":
        speech.transfer = control;
        dispatch({ type: "overrides", overrides: { interruptible: false } });
        break;
      case "hand_off":
        speech.handOff = control;
        dispatch({ type: "overrides", overrides: { interruptible: false } });
        break;
      case "listen":
        dispatch({ type: "overrides", overrides: turnOverridesOf(control) });
        break;
      case "clear":
        output.skip();
        break;
      case "dtmf":
        this.#pressKeys(control.digits, speech);
        break;
      case "flush":
      case "node_entered":
      case "tool":
      case "tool_call":
        break;
      default:
        control satisfies never;
    }
    sink.onControl(control, speech.turn);
  }

  #pressKeys(digits: string, { reply }: SpeechHandle): void {
    const { dispatch, now } = this.#deps;
    reply?.writeKeys(generateDtmf(digits));
    // A menu keeps talking while its keys are pressed; requesting the remaining half again would yield different keys.
    if (reply?.clauses.length === 0) {
      dispatch({ type: "reply_started", interruptible: false, nowMs: now() });
    }
  }
}
