import type { TurnTaking } from "@parley/shared/contracts/call-plan.ts";

/**
 * Who has the floor. Two sides, each a union of its own: what the caller is doing and what the agent is
 * doing. `turn-reducer.ts` moves them; nothing else may. All times are ms on the call's monotonic clock.
 */
export interface TurnState {
  readonly caller: CallerState;
  readonly agent: AgentState;
  /** Number of the last turn begun; 0 before the first. */
  readonly turn: number;
  /** The query a speculative brain request was made for. */
  readonly speculation: string | undefined;
  /** What the brain asked of the next turn (`listen` control event). */
  readonly manners: Manners;
}

/** What the caller has said in the turn being composed. */
export interface Utterance {
  /** When the turn's first voice or text came. */
  readonly startedAtMs: number;
  /** Text that will not change, in order. */
  readonly segments: readonly string[];
  /** Text of the voice still running, as far as recognised. */
  readonly interim: string;
  /** Finals asked for and not yet given. */
  readonly pendingFinals: number;
  /** The turn goes on from one that was already asked and not yet answered: its number is used again. */
  readonly continues: boolean;
  /** The wall-clock cap fell: what comes now belongs to the next turn. */
  readonly capped: boolean;
  readonly source: TurnSource;
}

export type CallerState =
  | { readonly kind: "quiet" }
  /** Voice is on. */
  | (Utterance & { readonly kind: "speaking"; readonly voiceStartedAtMs: number })
  /** Voice stopped at `voiceEndedAtMs`; the turn ends at `deadlineMs` unless it comes back. */
  | (Utterance & {
      readonly kind: "trailing";
      readonly voiceEndedAtMs: number;
      readonly deadlineMs: number;
      /** From here on a missing final is overruled by the interim text. */
      readonly finalDeadlineMs: number;
    });

export type AgentState =
  | { readonly kind: "silent" }
  /** The brain was asked; no audio was sent yet. */
  | { readonly kind: "thinking"; readonly query: string; readonly source: TurnSource }
  | { readonly kind: "speaking"; readonly interruptible: boolean }
  /** Talked over: playback stands still until it is known whether that was an interruption. */
  | { readonly kind: "held"; readonly confirmed: boolean; readonly unheardMs: number };

/** `call`: nobody said it; the call itself tells the brain something. */
export type TurnSource = "speech" | "text" | "dtmf" | "call";

/** Manners of the next turn; each falls back to the agent's settings. */
export interface Manners {
  readonly endpointingMs?: number;
  readonly expect?: "digits" | "speech";
  readonly interruptible?: boolean;
}

export type TurnEvent =
  | { readonly type: "voice_started"; readonly atMs: number; readonly nowMs: number }
  /** The voice still runs and has lasted `voiceMs`. */
  | { readonly type: "voice_runs"; readonly voiceMs: number; readonly nowMs: number }
  | { readonly type: "voice_ended"; readonly atMs: number; readonly nowMs: number }
  | { readonly type: "interim"; readonly text: string; readonly nowMs: number }
  | { readonly type: "final"; readonly text: string; readonly fromFinalize: boolean; readonly nowMs: number }
  /** A whole turn by other means than speech. */
  | {
      readonly type: "typed";
      readonly text: string;
      readonly source: "text" | "dtmf" | "call";
      readonly nowMs: number;
    }
  /** The agent's first audio of an answer, or of something said on its own, was sent. */
  | { readonly type: "reply_started"; readonly interruptible: boolean }
  /** Playback stands still; `unheardMs` of the answer is left as far as it is known. */
  | { readonly type: "reply_held"; readonly unheardMs: number }
  /** The answer was played to its end, or there was nothing to play. */
  | { readonly type: "reply_finished"; readonly nowMs: number }
  | { readonly type: "manners"; readonly manners: Manners }
  | { readonly type: "tick"; readonly nowMs: number };

export type TurnEffect =
  /** Ask the recogniser for its final text. */
  | { readonly type: "finalize" }
  /** Whatever the recogniser still owes for this turn is not wanted any more. */
  | { readonly type: "discard_recognition" }
  | { readonly type: "speculate"; readonly query: string; readonly turn: number }
  | { readonly type: "drop_speculation" }
  | { readonly type: "begin_turn"; readonly begin: BeginTurn }
  /** The brain's unanswered request is not wanted any more; its words come again in the next turn. */
  | { readonly type: "abandon_turn" }
  /** Stop the loudspeaker, keep what was not heard. */
  | { readonly type: "hold_reply" }
  /** It is an interruption: no more brain or voice for this answer. */
  | { readonly type: "abort_generation" }
  /** False alarm: go on where the caller stopped hearing. */
  | { readonly type: "resume_reply" }
  /** The answer ends here; its transcript is cut at what was heard. */
  | { readonly type: "cut_reply" }
  | { readonly type: "partial"; readonly text: string; readonly turn: number };

export interface BeginTurn {
  readonly turn: number;
  readonly query: string;
  /** What of the query was not said in an earlier request of the same turn; may be empty. */
  readonly addedText: string;
  readonly source: TurnSource;
  /** The anchor of every delay of this turn: when the voice really stopped, or when the text came. */
  readonly endOfVoiceMs: number;
  readonly decidedAtMs: number;
  /** A speculative answer to this very query is under way. */
  readonly adoptsSpeculation: boolean;
}

export interface TurnSettings extends TurnTaking {
  /** The recogniser answers `finalize`; without one (text from the client) nobody waits for a final. */
  readonly recognises: boolean;
}

export const INITIAL_TURN_STATE: TurnState = {
  caller: { kind: "quiet" },
  agent: { kind: "silent" },
  turn: 0,
  speculation: undefined,
  manners: {},
};
