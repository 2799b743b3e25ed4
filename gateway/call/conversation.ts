import type { CallActivity } from "@parley/shared/contracts/call-socket.ts";
import { reduceTurn } from "../turn/turn-reducer.ts";
import {
  INITIAL_TURN_STATE,
  type TurnEffect,
  type TurnEvent,
  type TurnSettings,
  type TurnState,
} from "../turn/turn-state.ts";
import type { AgentSide } from "./agent-side.ts";
import type { ConversationSink } from "./conversation-ports.ts";

export interface ConversationDeps {
  readonly settings: TurnSettings;
  readonly ears: { finalize(): void; discard(): void };
  readonly agent: AgentSide;
  readonly now: () => number;
  readonly sink: ConversationSink;
}

/** Holds the floor's state and carries out what the reducer decides, in order. */
export class Conversation {
  readonly #deps: ConversationDeps;
  #state: TurnState = INITIAL_TURN_STATE;
  #voiceStartedMs = 0;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  /** Nobody speaks, nobody thinks, nothing is about to be said. */
  get isIdle(): boolean {
    const { caller, agent } = this.#state;
    return caller.kind === "quiet" && agent.kind === "silent" && !this.#deps.agent.isBusy;
  }

  /** Number of the last turn begun. */
  get turn(): number {
    return this.#state.turn;
  }

  /** The answer is held because of the caller's voice, not because the line is down. */
  get isHeldByVoice(): boolean {
    return this.#state.agent.kind === "held";
  }

  get callerHasFloor(): boolean {
    return this.#state.caller.kind !== "quiet" || this.#state.agent.kind === "thinking";
  }

  get activity(): CallActivity {
    return activityOf(this.#state);
  }

  /** Called every 20 ms: time alone changes nothing while the caller is quiet. */
  tick(nowMs: number): void {
    if (this.#state.caller.kind !== "quiet") this.dispatch({ type: "tick", nowMs });
  }

  dispatch(event: TurnEvent): void {
    if (event.type === "voice_started") this.#voiceStartedMs = event.atMs;
    const before = this.#state;
    const [state, effects] = reduceTurn(before, event, this.#deps.settings);
    this.#state = state;
    const activity = activityOf(state);
    if (activity !== activityOf(before)) this.#deps.sink.onActivity(activity);
    for (const effect of effects) this.#apply(effect);
  }

  #apply(effect: TurnEffect): void {
    const { ears, agent, sink } = this.#deps;
    switch (effect.type) {
      case "finalize":
        ears.finalize();
        break;
      case "discard_recognition":
        ears.discard();
        break;
      case "speculate":
        agent.speculate(effect.query, effect.turn);
        break;
      case "drop_speculation":
        agent.dropSpeculation();
        break;
      case "begin_turn":
        void agent.answer(effect.begin);
        break;
      case "abandon_turn":
        agent.abandon();
        break;
      case "hold_reply":
        this.#hold();
        break;
      case "abort_generation":
        agent.abortGeneration();
        break;
      case "resume_reply":
        sink.onFalseAlarm();
        agent.resume();
        break;
      case "cut_reply":
        agent.cut();
        break;
      case "partial":
        sink.onPartial("user", effect.text, effect.turn);
        break;
    }
  }

  #hold(): void {
    const { agent, sink, now } = this.#deps;
    const { unheardMs } = agent.hold();
    sink.onHeld(now() - this.#voiceStartedMs);
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
