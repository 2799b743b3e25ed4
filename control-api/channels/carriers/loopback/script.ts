import type { AnsweredBy } from "../carrier.ts";

/** What a person does after picking up. */
export type PhoneStep =
  | { readonly do: "say"; readonly text: string }
  /** Waits until the far end has spoken and then been quiet for `quietMs`, at most `withinMs`. */
  | { readonly do: "listen"; readonly quietMs: number; readonly withinMs: number }
  /** Plays a track from the organization's library, by default the newest. */
  | { readonly do: "play"; readonly trackId?: string | undefined }
  | { readonly do: "press"; readonly keys: string }
  | { readonly do: "wait"; readonly ms: number }
  /** An answering machine's beep: 1 kHz, half a second. */
  | { readonly do: "beep" }
  | { readonly do: "hangUp" };

/** How a simulated phone behaves when called. */
export interface PhoneScript {
  readonly ringMs: number;
  readonly outcome: "answers" | "busy" | "no-answer" | "refuses";
  /** The verdict of the carrier's detection, if requested; a person when absent. */
  readonly answeredBy?: AnsweredBy;
  readonly steps: readonly PhoneStep[];
}

const LISTEN: PhoneStep = { do: "listen", quietMs: 700, withinMs: 20_000 };
const GREETING =
  "Hello. You have reached the voice mail of Ada. I am not available right now. Please leave a message after the beep.";
const SCREENS = "Hi. If you record your name and reason for calling, I will see if this person is available.";

const TALKER: PhoneScript = {
  ringMs: 800,
  outcome: "answers",
  steps: [LISTEN, { do: "say", text: "What are your opening hours?" }, LISTEN, { do: "wait", ms: 60_000 }],
};

/** By the last two digits of the number, as with test credit cards. Any other number is a patient talker. */
const BY_ENDING: Readonly<Record<string, PhoneScript>> = {
  "01": { ...TALKER, outcome: "busy", ringMs: 300 },
  "02": { ...TALKER, outcome: "no-answer" },
  "03": {
    ringMs: 500,
    outcome: "answers",
    answeredBy: "machine_start",
    steps: [
      { do: "say", text: GREETING },
      { do: "beep" },
      // As patient as a mailbox: whoever leaves a message may have to find the words first.
      { do: "listen", quietMs: 5_000, withinMs: 30_000 },
      { do: "wait", ms: 2_000 },
      { do: "hangUp" },
    ],
  },
  "04": {
    ringMs: 500,
    outcome: "answers",
    steps: [LISTEN, { do: "press", keys: "42#" }, LISTEN, { do: "wait", ms: 60_000 }],
  },
  "05": { ringMs: 300, outcome: "answers", steps: [{ do: "wait", ms: 500 }, { do: "hangUp" }] },
  "06": { ...TALKER, outcome: "refuses" },
  "07": {
    ringMs: 500,
    outcome: "answers",
    steps: [LISTEN, { do: "say", text: "That was all I wanted to know. Goodbye." }, LISTEN, { do: "hangUp" }],
  },
  "08": {
    ringMs: 500,
    outcome: "answers",
    steps: [
      { do: "say", text: SCREENS },
      // The agent's opener counts as heard, and its line may take a while: an assistant waits for more than a pause.
      { do: "listen", quietMs: 3_000, withinMs: 20_000 },
      { do: "say", text: "Thanks. Please stay on the line." },
      { do: "wait", ms: 5_000 },
      { do: "say", text: "Hello, Ada speaking." },
      LISTEN,
      { do: "wait", ms: 60_000 },
    ],
  },
  "09": {
    ringMs: 500,
    outcome: "answers",
    steps: [LISTEN, { do: "play" }, { do: "listen", quietMs: 2_000, withinMs: 10_000 }, { do: "hangUp" }],
  },
};

/** Script of the phone at a loopback number (docs/phones.md#the-loopback-numbers). */
export function scriptOf(number: string): PhoneScript {
  return BY_ENDING[number.slice(-2)] ?? TALKER;
}
