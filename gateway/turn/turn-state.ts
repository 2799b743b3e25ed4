import type { TurnTaking } from "@parley/shared/contracts/call-plan.ts";
import type { OwnReason } from "./own-voice.ts";

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
  readonly preemptiveQuery: string | undefined;
  /** What the brain asked of the next turn (`listen` control event). */
  readonly overrides: TurnOverrides;
  /** Finals that are owed for voices whose turn was given up waiting: their words still count when they come. */
  readonly late: LateFinals | undefined;
  /** What the operator's model says of the turn's text so far; undefined where it was not asked. */
  readonly verdict: Verdict | undefined;
  /** How long this caller pauses inside a turn, from -1 (hardly) to 1 (long): `pace.ts`. */
  readonly patience: number;
  /** When the answer to the last turn began to be heard; nothing before, and for what the agent says on its own. */
  readonly answeredAtMs: number | undefined;
  /** The turn in which the caller was last told that the agent is at it; 0 before the first. */
  readonly waitedIn: number;
  /** When that was. */
  readonly waitedAtMs: number;
  /** What the caller does now is not known yet: their audio is held up, or a voice may just begin. No turn ends meanwhile. */
  readonly isUnsure: boolean;
}

export interface Verdict {
  readonly text: string;
  /** From then on the turn no longer waits for an answer. */
  readonly dueAtMs: number;
  /** From 0 to 1; undefined while there is no answer. */
  readonly finished: number | undefined;
}

export interface LateFinals {
  readonly count: number;
  /** End of the last voice whose words are owed. */
  readonly voiceEndedAtMs: number;
}

/** What the caller has said in the turn being composed. */
export interface Utterance {
  /** When the turn's first voice or text came. */
  readonly startedAtMs: number;
  /** Text that will not change, in order. */
  readonly segments: readonly string[];
  /** Text of the voice still running, as far as recognized. */
  readonly interim: string;
  /** Finals asked for and not yet given. */
  readonly pendingFinals: number;
  /** When the text last grew or changed; the start while there is none. */
  readonly textChangedAtMs: number;
  /** The recognizer itself has said that the speech ended, and no text has come since. */
  readonly speechEnded: boolean;
  /**
   * End of the voice before the current one, while all words known are from before it: should the current one turn out
   * to be a noise, the turn ended there.
   */
  readonly wordsEndedAtMs: number | undefined;
  /** Silence before the voice that runs, or ran last, while its words are not known yet; 0 for none. */
  readonly pausedMs: number;
  /** The longest silence inside the turn after which words came; 0 for none. */
  readonly longestPauseMs: number;
  /** The turn goes on from one that was already asked and not yet answered: its number is used again. */
  readonly continues: boolean;
  /** The wall-clock cap fell: what comes now belongs to the next turn. */
  readonly capped: boolean;
  readonly source: TurnSource;
}

export type CallerState =
  | { readonly kind: "quiet" }
  /**
   * Voice is on. `isFaint`: what runs now is far below the caller's own level, or hardly above the room's; `clearAtMs` is
   * when it was last not so.
   */
  | (Utterance & {
      readonly kind: "speaking";
      readonly voiceStartedAtMs: number;
      readonly isFaint: boolean;
      readonly clearAtMs: number;
    })
  /** Voice stopped at `voiceEndedAtMs`; the turn ends at `deadlineMs` unless it comes back. */
  | (Utterance & {
      readonly kind: "trailing";
      readonly voiceEndedAtMs: number;
      readonly deadlineMs: number;
      /** From here on a missing final is overruled by the interim text. */
      readonly finalDeadlineMs: number;
      /** The words ended, the sound did not: `voiceEndedAtMs` follows the text. */
      readonly endedByText: boolean;
      /** The answer goes on though the words of this voice are still owed. */
      readonly interruptionIsOver: boolean;
    });

export type AgentState =
  | { readonly kind: "silent" }
  /** The brain was asked at `askedAtMs`; no audio was sent yet. `endOfVoiceMs` anchors the turn's delays. */
  | {
      readonly kind: "thinking";
      readonly query: string;
      readonly source: TurnSource;
      readonly endOfVoiceMs: number;
      readonly askedAtMs: number;
    }
  /** `ducked`: played softly, while it is not known whether a voice over it is an interruption. */
  | { readonly kind: "speaking"; readonly interruptible: boolean; readonly ducked: Ducked | undefined }
  /** Talked over: playback stands still until it is known whether that was an interruption. */
  | { readonly kind: "held"; readonly confirmed: boolean; readonly unheardMs: number };

export interface Ducked {
  /** How much of the answer was left unheard when it was lowered. */
  readonly unheardMs: number;
}

/** `call`: nobody said it; the call itself tells the brain something. */
export type TurnSource = "speech" | "text" | "dtmf" | "call";

/** Overrides for the next turn; each falls back to the agent's settings. */
export interface TurnOverrides {
  readonly endpointingMs?: number;
  readonly expect?: "digits" | "speech";
  readonly interruptible?: boolean;
}

export type TurnEvent =
  | { readonly type: "voice_started"; readonly atMs: number; readonly nowMs: number }
  /** The voice still runs and has lasted `voiceMs`, of which `clearMs` of late were at the caller's own level. */
  | {
      readonly type: "voice_runs";
      readonly voiceMs: number;
      readonly clearMs: number;
      readonly nowMs: number;
    }
  | { readonly type: "voice_ended"; readonly atMs: number; readonly nowMs: number }
  /** `own`: the agent's own words were taken out of the text, which may be empty then. */
  | { readonly type: "interim"; readonly text: string; readonly own?: OwnReason; readonly nowMs: number }
  /** `endsSpeech`: the recognizer heard by itself that the speech ended. */
  | {
      readonly type: "final";
      readonly text: string;
      readonly fromFinalize: boolean;
      readonly endsSpeech?: boolean;
      readonly own?: OwnReason;
      readonly nowMs: number;
    }
  /** A whole turn by other means than speech. */
  | {
      readonly type: "typed";
      readonly text: string;
      readonly source: "text" | "dtmf" | "call";
      readonly nowMs: number;
    }
  /** The agent's first audio of an answer, or of something said on its own, was sent. */
  | { readonly type: "reply_started"; readonly interruptible: boolean; readonly nowMs: number }
  /** Playback stands still, or is lowered; `unheardMs` of the answer is left as far as it is known. */
  | { readonly type: "reply_held"; readonly unheardMs: number }
  /** The answer was played to its end, or there was nothing to play. */
  | { readonly type: "reply_finished"; readonly nowMs: number }
  | { readonly type: "overrides"; readonly overrides: TurnOverrides }
  /** The operator's model says how finished `text` is, from 0 to 1; undefined: it has not answered. */
  | {
      readonly type: "judged";
      readonly text: string;
      readonly finished: number | undefined;
      readonly nowMs: number;
    }
  /**
   * `isUnsure`: what the caller does now is not known yet; never for long. `isAnswerComing`: the brain has begun to answer,
   * just now.
   */
  | {
      readonly type: "tick";
      readonly nowMs: number;
      readonly isUnsure?: boolean;
      readonly isAnswerComing?: boolean;
    };

export type TurnEffect =
  /** Ask the recognizer for its final text. */
  | { readonly type: "finalize" }
  /** Whatever the recognizer still owes for this turn is not wanted any more. */
  | { readonly type: "discard_recognition" }
  /** Ask the operator's model whether `text` is finished. */
  | { readonly type: "judge"; readonly text: string }
  | { readonly type: "start_preemptive"; readonly query: string; readonly turn: number }
  | { readonly type: "drop_preemptive" }
  | { readonly type: "begin_turn"; readonly begin: BeginTurn }
  /** The brain's unanswered request is not wanted any more; its words come again in the next turn. */
  | { readonly type: "abandon_turn" }
  /** There may be an interruption: the answer is played softly. */
  | { readonly type: "duck_reply" }
  /** There was none. */
  | { readonly type: "restore_reply" }
  /** Stop the loudspeaker, keep what was not heard. */
  | { readonly type: "hold_reply" }
  /** It is an interruption: no more brain or voice for this answer. */
  | { readonly type: "abort_generation" }
  /** False interruption: go on where the caller stopped hearing. */
  | { readonly type: "resume_reply" }
  /** The answer ends here; its transcript is cut at what was heard. */
  | { readonly type: "cut_reply" }
  /** The caller spoke for `voiceMs` and the recognizer gave no text in time; `mayBeSaid`: nobody has the floor. */
  | { readonly type: "words_missing"; readonly voiceMs: number; readonly mayBeSaid: boolean }
  /** Words came after they were given up. */
  | { readonly type: "words_late" }
  /** Nothing of the turn's answer was heard for too long: the caller is told that it is on its way. */
  | { readonly type: "say_waiting"; readonly turn: number }
  /** The caller talks over that line. */
  | { readonly type: "drop_waiting" }
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
  readonly adoptsPreemptive: boolean;
  /** Its answer can be talked over; absent: it can. */
  readonly interruptible?: boolean;
}

export interface TurnSettings extends TurnTaking {
  /** The recognizer answers `finalize`; without one (text from the client) nobody waits for a final. */
  readonly recognizes: boolean;
  /** The recognizer gives text while the caller still speaks: words, not sounds, take the floor. */
  readonly hasInterims: boolean;
  /** How long a turn waits for the operator's end-of-turn model; 0 where there is none. */
  readonly judgesWithinMs: number;
  /** What the caller is expected to speak (BCP 47). */
  readonly language: string;
  /** Nothing audible for this long after the caller's voice ended: the waiting line is said. 0 never says it. */
  readonly waitingAfterMs: number;
  /** So long after one waiting line comes the next; 0 says no other. */
  readonly waitingAgainAfterMs: number;
}

export const INITIAL_TURN_STATE: TurnState = {
  caller: { kind: "quiet" },
  agent: { kind: "silent" },
  turn: 0,
  preemptiveQuery: undefined,
  overrides: {},
  late: undefined,
  verdict: undefined,
  patience: 0,
  answeredAtMs: undefined,
  waitedIn: 0,
  waitedAtMs: 0,
  isUnsure: false,
};
