import { SentTimeline } from "../oracle/sent-timeline.ts";
import type { Utterance } from "./questions.ts";

/** One request from the gateway to the brain. Times are in ms on this process's clock. */
export interface BrainAsked {
  readonly atMs: number;
  readonly query: string;
}

/** A caller's question and its outcome. */
export interface Asked {
  /** Counts up from 1; the brain names it in its answer. */
  readonly number: number;
  readonly utterance: Utterance;
  readonly startedAtMs: number;
  /** True end of the last word. */
  wordsEndedAtMs: number | undefined;
  /** The agent was heard before the caller had finished. */
  wasCutOff: boolean;
  /** First audible part of the answer. */
  answeredAtMs: number | undefined;
  /** Silence after the last word: before the answer, and in its gaps. */
  silentMs: number;
  /** Answers dropped although the caller had not taken the floor. */
  stops: number;
  /** The caller gave up, or the answer was over. */
  isOver: boolean;
  /** Asked over the previous answer. */
  readonly isInterruption: boolean;
  /** From the first word of an interruption until the agent fell silent. */
  stoppedAfterMs: number | undefined;
}

/** What can be broken around a call. */
export type Fault = "none" | "recogniser-dead" | "voice-dead" | "brain-hangs";

/** One call, from the caller's side and the vendors'. */
export class CallRecord {
  readonly id: string;
  readonly fault: Fault;
  readonly brainMs: number;
  readonly hasLongAnswers: boolean;
  readonly sent = new SentTimeline();
  readonly questions: Asked[] = [];
  readonly requests: BrainAsked[] = [];
  /** Everything the agent said aloud, with the time it was first heard. */
  readonly heard: { readonly atMs: number; readonly clause: string }[] = [];
  /** When the gateway sent `thinking`: the caller's turn was over. */
  readonly decidedAtMs: number[] = [];
  /** The gateway's other messages. */
  readonly happened: { readonly atMs: number; readonly what: string }[] = [];
  readonly problems: string[] = [];

  constructor(options: { id: string; fault: Fault; brainMs: number; hasLongAnswers: boolean }) {
    this.id = options.id;
    this.fault = options.fault;
    this.brainMs = options.brainMs;
    this.hasLongAnswers = options.hasLongAnswers;
  }
}
