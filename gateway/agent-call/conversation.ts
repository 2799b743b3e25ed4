import type { CallActivity } from "@parley/shared/contracts/call-socket.ts";
import { decisionsOf } from "../turn/floor-decision.ts";
import { reduceTurn } from "../turn/turn-reducer.ts";
import {
  INITIAL_TURN_STATE,
  type TurnEffect,
  type TurnEvent,
  type TurnSettings,
  type TurnState,
} from "../turn/turn-state.ts";
import { turnNumber, utteranceText } from "../turn/utterance.ts";
import type { AgentSpeech } from "./agent-speech.ts";
import type { CallJudge } from "./call-judge.ts";
import type { ConversationSink } from "./conversation-ports.ts";

export interface ConversationDeps {
  readonly settings: TurnSettings;
  readonly input: { finalize(): void; discard(): void; isUnsure(nowMs: number): boolean };
  readonly agent: Pick<
    AgentSpeech,
    | "isBusy"
    | "isAnswerComing"
    | "startPreemptive"
    | "dropPreemptive"
    | "answer"
    | "abandon"
    | "duck"
    | "restore"
    | "abortGeneration"
    | "hold"
    | "resume"
    | "cut"
    | "sayNotUnderstood"
    | "sayWaiting"
    | "dropWaiting"
  >;
  /** The operator's end-of-turn model, if one is configured. */
  readonly judge?: Pick<CallJudge, "ask">;
  readonly now: () => number;
  readonly sink: ConversationSink;
}

/** Holds the state of the floor and carries out the reducer's decisions in order. */
export class Conversation {
  readonly #deps: ConversationDeps;
  #state: TurnState = INITIAL_TURN_STATE;
  #lastVoiceMs: number | undefined;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  /** True while nobody speaks, nobody thinks and nothing is about to be said. */
  get isIdle(): boolean {
    const { caller, agent } = this.#state;
    // A television in the room does not take part in the conversation.
    const isQuiet =
      caller.kind === "quiet" ||
      (caller.kind === "speaking" && caller.isFaint && utteranceText(caller) === "");
    return isQuiet && agent.kind === "silent" && !this.#deps.agent.isBusy;
  }

  /** Number of the last turn begun. */
  get turn(): number {
    return this.#state.turn;
  }

  /** True if the caller's voice holds the answer, rather than a broken line. */
  get isHeldByVoice(): boolean {
    return this.#state.agent.kind === "held";
  }

  get callerHasFloor(): boolean {
    return this.#state.caller.kind !== "quiet" || this.#state.agent.kind === "thinking";
  }

  /** Time since the caller's last voice; 0 while they speak or words are awaited. No `quietMs` before the first one. */
  quiet(): { quietMs?: number } {
    if (this.#state.caller.kind !== "quiet") return { quietMs: 0 };
    if (this.#lastVoiceMs === undefined) return {};
    return { quietMs: Math.max(0, Math.round(this.#deps.now() - this.#lastVoiceMs)) };
  }

  get activity(): CallActivity {
    return activityOf(this.#state);
  }

  /** Called every 20 ms. Time alone changes nothing while the caller is quiet and waits for nothing. */
  tick(nowMs: number): void {
    const { caller, agent } = this.#state;
    if (caller.kind === "quiet" && agent.kind !== "thinking") return;
    const { isAnswerComing } = this.#deps.agent;
    this.dispatch({ type: "tick", nowMs, isUnsure: this.#deps.input.isUnsure(nowMs), isAnswerComing });
  }

  dispatch(event: TurnEvent): void {
    if (event.type === "voice_started" || event.type === "voice_ended") this.#lastVoiceMs = event.atMs;
    const before = this.#state;
    const { settings, sink } = this.#deps;
    const [state, effects] = reduceTurn(before, event, settings);
    this.#state = state;
    for (const decision of decisionsOf({ before, event, after: state, effects, settings }))
      sink.onDecision(decision);
    const activity = activityOf(state);
    if (activity !== activityOf(before)) sink.onActivity(activity);
    for (const effect of effects) this.#apply(effect, event);
  }

  #apply(effect: TurnEffect, event: TurnEvent): void {
    const { input, agent, sink } = this.#deps;
    switch (effect.type) {
      case "finalize":
        input.finalize();
        break;
      case "discard_recognition":
        input.discard();
        break;
      case "judge":
        void this.#judge(effect.text);
        break;
      case "start_preemptive":
        agent.startPreemptive(effect.query, effect.turn);
        break;
      case "drop_preemptive":
        agent.dropPreemptive();
        break;
      case "begin_turn":
        void agent.answer(effect.begin);
        break;
      case "abandon_turn":
        agent.abandon();
        break;
      case "duck_reply":
        this.dispatch({ type: "reply_held", unheardMs: agent.duck().unheardMs });
        break;
      case "restore_reply":
        sink.onFalseInterruption();
        agent.restore();
        break;
      case "hold_reply":
        this.#hold(event);
        break;
      case "abort_generation":
        agent.abortGeneration();
        break;
      case "resume_reply":
        sink.onFalseInterruption();
        agent.resume();
        break;
      case "cut_reply":
        agent.cut();
        break;
      case "words_missing":
        this.#onWordsMissing(effect);
        break;
      case "words_late":
        sink.onWordsLate();
        break;
      case "say_waiting":
        agent.sayWaiting(effect.turn);
        break;
      case "drop_waiting":
        agent.dropWaiting();
        break;
      case "partial":
        sink.onPartial("user", effect.text, effect.turn);
        break;
      default:
        effect satisfies never;
    }
  }

  #onWordsMissing({ voiceMs, mayBeSaid }: Extract<TurnEffect, { type: "words_missing" }>): void {
    const { agent, sink } = this.#deps;
    sink.onWordsMissing(voiceMs);
    if (mayBeSaid) agent.sayNotUnderstood(this.#state.turn);
  }

  /** A judgment only moves a deadline, so one that arrives after the call's end has no effect. */
  async #judge(text: string): Promise<void> {
    const { judge, now } = this.#deps;
    const { caller } = this.#state;
    if (caller.kind === "quiet") return;
    const turn = turnNumber(this.#state, caller);
    const finished = await judge?.ask({ text, turn, startedAtMs: caller.startedAtMs });
    this.dispatch({ type: "judged", text, finished, nowMs: now() });
  }

  /**
   * Reports how quickly the agent stopped, only for causes that are heard. The clock starts at the frame that made the
   * voice long enough, or at the words. The agent's settings decide how much has to be heard, and the recognizer how
   * soon words come.
   */
  #hold(cause: TurnEvent): void {
    const { agent, sink, now } = this.#deps;
    const { unheardMs } = agent.hold();
    if (cause.type === "voice_runs" || cause.type === "interim" || cause.type === "final") {
      sink.onHeld(now() - cause.nowMs);
    }
    this.dispatch({ type: "reply_held", unheardMs });
  }
}

function activityOf(state: TurnState): CallActivity {
  switch (state.agent.kind) {
    case "silent":
    case "held":
      return "listening";
    case "thinking":
      return "thinking";
    case "speaking":
      return "speaking";
  }
}
