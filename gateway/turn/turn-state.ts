import type { TurnTaking } from "@parley/shared/contracts/call-plan.ts";
import type { OwnReason } from "./own-voice.ts";

/**
 * Who has the floor: what the caller is doing and what the agent is doing, each side a union of its own. Only
 * `turn-reducer.ts` may move them. All times are ms on the call's monotonic clock.
 */
export interface TurnState {
  readonly caller: CallerState;
  readonly agent: AgentState;
  /** Number of the last turn begun; 0 before the first. */
  readonly turn: number;
  /** The query for which a speculative brain request was made. */
  readonly preemptiveQuery: string | undefined;
  /** What the brain asked for the next turn (`listen` control event). */
  readonly overrides: TurnOverrides;
  /** Finals owed for voices that were no longer waited for; their words still count when they come. */
  readonly late: LateFinals | undefined;
  /** The verdict of the operator's model on the turn's text so far; undefined if it was not asked. */
  readonly verdict: Verdict | undefined;
  /** How long this caller pauses inside a turn, from -1 (hardly) to 1 (long): `pace.ts`. */
  readonly patience: number;
  /** When the answer to the last turn was first heard; undefined before that and for the agent's own lines. */
  readonly answeredAtMs: number | undefined;
  /** The turn in which the caller last heard a waiting line; 0 before the first. */
  readonly waitedIn: number;
  /** When the caller last heard a waiting line. */
  readonly waitedAtMs: number;
  /** How many voices in a row stopped an answer without having words; the next voice has to last longer. */
  readonly wordlessStops: number;
  /** True while delayed audio or a starting voice leaves the caller's activity unknown. No turn ends meanwhile. */
  readonly isUnsure: boolean;
}

export interface Verdict {
  readonly text: string;
  /** When the turn stops waiting for the verdict. */
  readonly dueAtMs: number;
  /** From 0 to 1; undefined until the model answers. */
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
  /** Text recognized so far of the current voice. */
  readonly interim: string;
  /** Finals that were asked for and have not come yet. */
  readonly pendingFinals: number;
  /** When the text last changed; the utterance's start while there is no text. */
  readonly textChangedAtMs: number;
  /** True if the recognizer itself reported the end of speech and no text has come since. */
  readonly speechEnded: boolean;
  /**
   * End of the voice before the current one, while all known words are older than the current voice. If that voice
   * turns out to be noise, the turn ended here.
   */
  readonly wordsEndedAtMs: number | undefined;
  /** Silence before the current or last voice while its words are not known yet; 0 for none. */
  readonly pausedMs: number;
  /** The longest silence inside the turn that was followed by words; 0 for none. */
  readonly longestPauseMs: number;
  /** True if the turn continues one that was asked and not answered yet; it reuses that turn's number. */
  readonly continues: boolean;
  /** True once the turn hit its wall-clock cap; what comes now belongs to the next turn. */
  readonly capped: boolean;
  readonly source: TurnSource;
}

export type CallerState =
  | { readonly kind: "quiet" }
  /**
   * A voice is active. `isFaint`: the sound is now far below the caller's own level, or hardly above the room's;
   * `clearAtMs` is when it was last clear. `stoppedAtMs`: when it stopped an answer by its sound alone.
   */
  | (Utterance & {
      readonly kind: "speaking";
      readonly voiceStartedAtMs: number;
      readonly isFaint: boolean;
      readonly clearAtMs: number;
      readonly stoppedAtMs: number | undefined;
    })
  /** The voice stopped at `voiceEndedAtMs`; the turn ends at `deadlineMs` unless the voice comes back. */
  | (Utterance & {
      readonly kind: "trailing";
      readonly voiceEndedAtMs: number;
      readonly deadlineMs: number;
      /** From here on the interim text stands in for a missing final. */
      readonly finalDeadlineMs: number;
      /** The words ended although the sound did not: `voiceEndedAtMs` follows the text. */
      readonly endedByText: boolean;
      /** The answer goes on although the words of this voice are still owed. */
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
  /** `ducked`: the answer plays softly until a voice over it proves to be an interruption or not. */
  | { readonly kind: "speaking"; readonly interruptible: boolean; readonly ducked: Ducked | undefined }
  /** Talked over: playback stands still until the interruption is confirmed or dismissed. */
  | { readonly kind: "held"; readonly confirmed: boolean; readonly unheardMs: number };

export interface Ducked {
  /** How much of the answer was left unheard when it was lowered. */
  readonly unheardMs: number;
}

/** `call`: no person said it; the call itself tells the brain something. */
export type TurnSource = "speech" | "text" | "dtmf" | "call";

/** Overrides for the next turn; each falls back to the agent's settings. */
export interface TurnOverrides {
  readonly endpointingMs?: number;
  readonly expect?: "digits" | "speech";
  readonly interruptible?: boolean;
}

export type TurnEvent =
  | { readonly type: "voice_started"; readonly atMs: number; readonly nowMs: number }
  /** The voice is still active and has lasted `voiceMs`, of which `clearMs` lately were at the caller's own level. */
  | {
      readonly type: "voice_runs";
      readonly voiceMs: number;
      readonly clearMs: number;
      readonly nowMs: number;
    }
  | { readonly type: "voice_ended"; readonly atMs: number; readonly nowMs: number }
  /** `own`: the agent's own words were removed from the text, which may now be empty. */
  | { readonly type: "interim"; readonly text: string; readonly own?: OwnReason; readonly nowMs: number }
  /** `endsSpeech`: the recognizer itself detected the end of speech. */
  | {
      readonly type: "final";
      readonly text: string;
      readonly fromFinalize: boolean;
      readonly endsSpeech?: boolean;
      readonly own?: OwnReason;
      readonly nowMs: number;
    }
  /** A whole turn that arrived by other means than speech. */
  | {
      readonly type: "typed";
      readonly text: string;
      readonly source: "text" | "dtmf" | "call";
      readonly nowMs: number;
    }
  /** The first audio of an answer or of a line of the agent's own was sent. */
  | { readonly type: "reply_started"; readonly interruptible: boolean; readonly nowMs: number }
  /** Playback was held or lowered; `unheardMs` of the answer is left, as far as known. */
  | { readonly type: "reply_held"; readonly unheardMs: number }
  /** The answer was played to its end, or there was nothing to play. */
  | { readonly type: "reply_finished"; readonly nowMs: number }
  | { readonly type: "overrides"; readonly overrides: TurnOverrides }
  /** The operator's model says how finished `text` is, from 0 to 1; undefined if it has not answered. */
  | {
      readonly type: "judged";
      readonly text: string;
      readonly finished: number | undefined;
      readonly nowMs: number;
    }
  /**
   * `isUnsure`: what the caller does now is unknown, never for long. `isAnswerComing`: the brain has just begun to
   * answer.
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
  /** Discard everything the recognizer still owes for this turn. */
  | { readonly type: "discard_recognition" }
  /** Ask the operator's model whether `text` is finished. */
  | { readonly type: "judge"; readonly text: string }
  | { readonly type: "start_preemptive"; readonly query: string; readonly turn: number }
  | { readonly type: "drop_preemptive" }
  | { readonly type: "begin_turn"; readonly begin: BeginTurn }
  /** Drop the brain's unanswered request; its words come again in the next turn. */
  | { readonly type: "abandon_turn" }
  /** Possible interruption: play the answer softly. */
  | { readonly type: "duck_reply" }
  /** No interruption: restore the volume. */
  | { readonly type: "restore_reply" }
  /** Stop the loudspeaker and keep the unheard audio. */
  | { readonly type: "hold_reply" }
  /** Confirmed interruption: this answer gets nothing more from the brain or the voice. */
  | { readonly type: "abort_generation" }
  /** False interruption: go on where the caller stopped hearing. */
  | { readonly type: "resume_reply" }
  /** End the answer here and cut its transcript at what was heard. */
  | { readonly type: "cut_reply" }
  /** The caller spoke for `voiceMs` and no text came in time; `mayBeSaid`: nobody has the floor. */
  | { readonly type: "words_missing"; readonly voiceMs: number; readonly mayBeSaid: boolean }
  /** Words arrived after they had been given up. */
  | { readonly type: "words_late" }
  /** The caller heard nothing of the turn's answer for too long: tell them that it is on its way. */
  | { readonly type: "say_waiting"; readonly turn: number }
  /** Drop the waiting line because the caller talks over it. */
  | { readonly type: "drop_waiting" }
  | { readonly type: "partial"; readonly text: string; readonly turn: number };

export interface BeginTurn {
  readonly turn: number;
  readonly query: string;
  /** The part of the query not said in an earlier request of this turn; may be empty. */
  readonly addedText: string;
  readonly source: TurnSource;
  /** The anchor of every delay of this turn: when the voice really stopped, or when the text came. */
  readonly endOfVoiceMs: number;
  readonly decidedAtMs: number;
  /** A speculative answer to exactly this query is under way. */
  readonly adoptsPreemptive: boolean;
  /** True or absent if the answer can be talked over. */
  readonly interruptible?: boolean;
}

export interface TurnSettings extends TurnTaking {
  /** The recognizer answers `finalize`; without one (text from the client), nothing waits for a final. */
  readonly recognizes: boolean;
  /** The recognizer gives text while the caller still speaks: words rather than sounds take the floor. */
  readonly hasInterims: boolean;
  /** How long a turn waits for the operator's end-of-turn model; 0 if there is none. */
  readonly judgesWithinMs: number;
  /** The language the caller is expected to speak (BCP 47). */
  readonly language: string;
  /** How long the caller hears nothing after their voice ended before the waiting line is said. 0 disables it. */
  readonly waitingAfterMs: number;
  /** Interval between one waiting line and the next; 0 disables further ones. */
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
  wordlessStops: 0,
  isUnsure: false,
};
