import { BrainError } from "@parley/shared/brain/brain-error.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { ServerMessage } from "@parley/shared/contracts/call-socket.ts";
import type { Rehearsal, Scenario } from "@parley/shared/contracts/rehearsals.ts";
import type { RehearsedCaller } from "../rehearsed-caller.ts";
import { CallersLine, type LineFigures } from "./callers-line.ts";
import type { CallersMouth } from "./callers-mouth.ts";
import { Talk } from "./talk.ts";
import type { Utterance } from "./words.ts";

const LOOK_EVERY_MS = 40;
/** A silence of the agent after which the caller knows that it is their turn. */
const DONE_AFTER_MS = 600;
/** How long a caller waits for words before they say theirs again, and then before they give up. */
const PATIENCE_MS = 30_000;
/** How fast words are heard; a clause is announced as it begins. */
const CHARS_PER_MS = 0.015;
/** For the last words to be understood before the line is closed. */
const FAREWELL_MS = 2_500;

export interface HeldCall {
  readonly url: string;
  readonly caller: RehearsedCaller;
  readonly mouth: CallersMouth;
  readonly pickUp: (frame: Int16Array<ArrayBuffer>) => Int16Array<ArrayBuffer>;
  /** The agent, not the caller, says the first words. */
  readonly agentBegins: boolean;
  readonly maxTurns: Scenario["maxTurns"];
}

export interface HoldCallDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface CallOutcome {
  readonly transcript: Rehearsal["transcript"];
  readonly utterances: readonly Utterance[];
  readonly turns: number;
  readonly endReason: string;
  /** Why the call, or a model in it, failed. */
  readonly error: string | null;
  readonly figures: LineFigures;
  readonly slowestMs: number;
}

/** Plays a caller on the call socket until somebody hangs up. Never throws for what the agent does. */
export async function holdCall(call: HeldCall, deps: HoldCallDeps): Promise<CallOutcome> {
  return new SpokenConversation(call, deps).hold();
}

/** Words of the agent that the caller will talk over. */
interface PlannedCut {
  readonly turn: number;
  readonly heard: string;
  readonly dueMs: number;
}

class SpokenConversation {
  readonly #call: HeldCall;
  readonly #deps: HoldCallDeps;
  readonly #talk = new Talk();
  readonly #line: CallersLine;
  /** The agent's clauses of this turn, as far as they were announced. */
  #announced = { turn: -1, text: "" };
  #cut: PlannedCut | undefined;
  /** The turn that the caller talked over: its rest is no answer. */
  #cutTurn = -1;
  #isReady = false;
  #endReason: string | undefined;
  #error: string | null = null;

  constructor(call: HeldCall, deps: HoldCallDeps) {
    this.#call = call;
    this.#deps = deps;
    const events = {
      pickUp: call.pickUp,
      onMessage: (message: ServerMessage) => this.#read(message),
      onClosed: () => this.#closed(),
    };
    this.#line = new CallersLine(call.url, events, deps.clock);
  }

  async hold(): Promise<CallOutcome> {
    try {
      await this.#until(() => this.#isReady, PATIENCE_MS);
      if (!this.#isReady) this.#fail("No gateway answered the call.");
      for (let isFirst = true; !this.#isOver; isFirst = false) await this.#goOn(isFirst);
    } catch (error) {
      if (!(error instanceof BrainError)) throw error;
      this.#fail(error.message);
    } finally {
      if (this.#deps.signal.aborted) this.#fail("The rehearsals took too long together.");
      this.#line.hangUp();
    }
    return {
      ...{ transcript: this.#talk.transcript(), utterances: this.#talk.utterances, turns: this.#talk.turns },
      ...{ endReason: this.#endReason ?? "hangup", error: this.#error },
      ...{ figures: this.#line.figures(), slowestMs: this.#line.slowestMs },
    };
  }

  get #isOver(): boolean {
    return this.#endReason !== undefined || this.#deps.signal.aborted;
  }

  async #goOn(isFirst: boolean): Promise<void> {
    const { caller, agentBegins, maxTurns } = this.#call;
    if (agentBegins || !isFirst) await this.#listen();
    if (this.#isOver) return;
    const cut = this.#cut;
    this.#cut = undefined;
    const view = [...this.#talk.callersView()];
    if (cut) view.push({ role: "assistant", text: cut.heard, turn: cut.turn });
    const { say, hangsUp } = await caller.next(view, cut !== undefined);
    if (this.#isOver) return;
    if (say !== undefined && this.#talk.turns >= maxTurns) this.#endReason = "max_turns";
    // A model may take so long to think of its words that nobody speaks any more.
    else if (say !== undefined) await this.#say(say, this.#line.doneForMs === 0 ? cut : undefined);
    if (hangsUp) await this.#hangUp(say !== undefined);
  }

  /** Until the agent has said its words, or the caller cannot bear to hear more of them. */
  async #listen(): Promise<void> {
    if (await this.#until(() => this.#mayTalk(), PATIENCE_MS)) return;
    const [words] = this.#talk.utterances.slice(-1);
    if (words && this.#talk.turns < this.#call.maxTurns) {
      await this.#say(words.said, undefined);
      if (await this.#until(() => this.#mayTalk(), PATIENCE_MS)) return;
    }
    const after = words ? ` after "${words.said}"` : "";
    this.#fail(`The agent said nothing for ${PATIENCE_MS / 1_000} seconds${after}.`);
  }

  #mayTalk(): boolean {
    if (this.#cut && this.#deps.clock.monotonicMs() >= this.#cut.dueMs) {
      if (this.#line.doneForMs === 0) return true;
      // The agent has come to its end before.
      this.#cut = undefined;
    }
    return this.#line.doneForMs >= DONE_AFTER_MS && this.#talk.isAnsweredAfter(this.#cutTurn);
  }

  async #say(text: string, cut: PlannedCut | undefined): Promise<void> {
    const samples = await this.#call.mouth(text);
    if (this.#isOver) return;
    this.#cutTurn = cut?.turn ?? -1;
    this.#cut = undefined;
    this.#talk.says(text);
    this.#line.say(samples, cut !== undefined);
    await this.#until(() => this.#line.leftToSayMs === 0, PATIENCE_MS * 2);
  }

  async #hangUp(isAfterWords: boolean): Promise<void> {
    const isHeard = (): boolean => (this.#talk.utterances.at(-1)?.understood.length ?? 0) > 0;
    if (isAfterWords) await this.#until(isHeard, FAREWELL_MS);
    this.#endReason ??= "hangup";
  }

  /** Whether it came true before the time was up, or the call over. */
  async #until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    const { clock } = this.#deps;
    const endMs = clock.monotonicMs() + withinMs;
    while (!this.#isOver && clock.monotonicMs() < endMs) {
      if (isTrue()) return true;
      await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
    }
    return this.#isOver || isTrue();
  }

  #read(message: ServerMessage): void {
    switch (message.type) {
      case "ready":
        this.#isReady = true;
        if (message.recognition === "client") this.#fail("The gateway of this call recognizes no speech.");
        break;
      case "transcript":
        if (message.final) this.#talk.hear(message);
        else if (message.role === "assistant") this.#announce(message);
        break;
      case "error":
        if (message.code === "brain_failed" || message.code === "speech_failed" || message.fatal)
          this.#error ??= message.message;
        break;
      case "ended":
        this.#endReason ??= message.reason;
        break;
      case "state":
      case "mark":
      case "clear":
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

  #announce({ text, turn }: Extract<ServerMessage, { type: "transcript" }>): void {
    const before = this.#announced.turn === turn ? this.#announced.text.length : 0;
    this.#announced = { turn, text };
    if (this.#cut || turn === this.#cutTurn) return;
    const heard = this.#call.caller.cutsIn({ role: "assistant", text, turn });
    if (heard === undefined) return;
    const inMs = Math.max(0, heard.length - before) / CHARS_PER_MS;
    this.#cut = { turn, heard, dueMs: this.#deps.clock.monotonicMs() + inMs };
  }

  #closed(): void {
    if (this.#endReason !== undefined) return;
    this.#fail(this.#error ?? "The call broke off.");
  }

  #fail(message: string): void {
    this.#error ??= message;
    this.#endReason ??= "call_failed";
  }
}
