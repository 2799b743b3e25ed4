import type { RecordedFloorDecision, TurnFloor } from "@parley/shared/contracts/floor.ts";

type Made = RecordedFloorDecision;

/** A decision in words. */
export interface FloorLine {
  readonly key: string;
  /** Seconds on the call's clock. */
  readonly atSecs: number;
  readonly text: string;
}

export function floorLines({ decisions }: TurnFloor, who: string): FloorLine[] {
  return decisions.map((made, index) => ({
    key: `${index}-${made.atMs}`,
    atSecs: made.atMs / 1_000,
    text: floorText(made, who),
  }));
}

/** One line on a floor decision and its reason; `who` names the agent's other side: Caller or Callee. */
function floorText(made: Made, who: string): string {
  switch (made.decision) {
    case "duck":
      return `${who} spoke over the agent – volume lowered (sound, not words)`;
    case "hold":
      return "Agent paused: a clear voice went on, no words yet";
    case "interrupt":
      return `Interrupted: ${causeText(made)}`;
    case "go_on":
      return `Agent continued${because(GO_ON[made.reason])}`;
    case "take_back":
      return `Answer canceled before it was heard: ${causeText(made)}`;
    case "wait":
      return `Kept listening after ${msText(made.afterMs)}${because(HEARD[made.reason])}`;
    case "end_turn":
      return BY_OTHER_MEANS[made.reason] ?? endText(made);
    case "ignore":
      return made.reason === "own_words"
        ? "Ignored: the words were the agent’s own"
        : "Ignored: the sound was the agent’s own voice";
  }
}

/** The reason as a suffix; a reason without words is left out. */
function because(text: string | undefined): string {
  return text === undefined ? "" : `: ${text}`;
}

type Texts = Partial<Record<Made["reason"], string>>;

const GO_ON: Texts = {
  no_words: "no words heard",
  words_awaited: "words still not recognized",
  listening: "only a listener’s “mm-hm”",
  own_voice: "it had heard its own voice",
  own_words: "it had heard its own words",
};

const HEARD: Texts = {
  complete: "sentence sounded complete",
  unfinished: "sentence sounded unfinished",
  model_complete: "your model judged it complete",
  model_unfinished: "your model judged it unfinished",
  as_asked: "wait set by the brain",
  words_awaited: "words not recognized yet",
  speech_end: "speech recognizer reported the end",
  text_stable: "no new words, although sound went on",
  too_long: "maximum turn length reached",
  no_final: "speech recognizer sent no final text",
  words: "words recognized late",
};

const BY_OTHER_MEANS: Texts = {
  typed: "Turn ended: message typed",
  keys: "Turn ended: keys pressed",
  call: "Turn started by the call: a transfer failed",
};

function endText({ afterMs, reason }: Made): string {
  return `Turn ended after ${msText(afterMs)}${because(HEARD[reason])}`;
}

function causeText({ reason, words }: Made): string {
  switch (reason) {
    case "typed":
      return "message typed";
    case "keys":
      return "keys pressed";
    case "call":
      return "a transfer failed";
    case "voice":
      return "clear voice, no words yet";
    default:
      return words === undefined ? "words heard" : `${words} ${words === 1 ? "word" : "words"} heard`;
  }
}

/** Milliseconds as `2,500 ms`. */
function msText(ms: number | undefined): string {
  return `${(ms ?? 0).toLocaleString("en-US")} ms`;
}
