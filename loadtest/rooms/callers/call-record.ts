import { SentTimeline } from "../oracle/sent-timeline.ts";
import type { Utterance } from "./questions.ts";

/** One request of the gateway to the brain. Times are ms on this process's clock. */
export interface BrainAsked {
  readonly atMs: number;
  readonly query: string;
}

/** One question of a caller, and what came of it. */
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
  /** Silence after the last word: until the answer, and in holes of it. */
  silentMs: number;
  /** Answers that were dropped though the caller had not taken the floor. */
  stops: number;
  /** The caller gave up, or the answer was over. */
  isOver: boolean;
  /** It was asked over the answer before. */
  readonly isInterruption: boolean;
  /** From the first word of an interruption until the agent fell silent for it. */
  stoppedAfterMs: number | undefined;
}

/** What can be out of order around a call. */
export type Fault = "none" | "recogniser-dead" | "voice-dead" | "brain-hangs";

/** What one call was, from the caller's side and from the vendors'. */
export class CallRecord {
  readonly id: string;
  readonly fault: Fault;
  readonly brainMs: number;
  readonly hasLongAnswers: boolean;
  readonly sent = new SentTimeline();
  readonly questions: Asked[] = [];
  readonly requests: BrainAsked[] = [];
  /** Anything that the agent said aloud, first heard at. */
  readonly heard: { readonly atMs: number; readonly clause: string }[] = [];
  /** When the gateway said that it thinks: the caller's turn was over. */
  readonly decidedAtMs: number[] = [];
  /** What the gateway told beside. */
  readonly happened: { readonly atMs: number; readonly what: string }[] = [];
  readonly problems: string[] = [];

  constructor(options: { id: string; fault: Fault; brainMs: number; hasLongAnswers: boolean }) {
    this.id = options.id;
    this.fault = options.fault;
    this.brainMs = options.brainMs;
    this.hasLongAnswers = options.hasLongAnswers;
  }
}
