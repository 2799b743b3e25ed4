import { describe, expect, it } from "vitest";
import {
  BEEP_WITHIN_MS,
  GRACE_MS,
  GREETING_PAUSE_MS,
  type MachineEvent,
  type MachineState,
  machineStep,
  SCREENED_MS,
} from "./verdict.ts";

const message = "Please call us back.";
const LEAVES = { detection: "true", message, answersScreening: false } as const;
const HANGS_UP = { detection: "true", message: undefined, answersScreening: false } as const;
const DROPS = { detection: "hangup", message, answersScreening: false } as const;
const ANSWERS = { detection: "true", message, answersScreening: true } as const;
const TALKS = { detection: "none", message: undefined, answersScreening: true } as const;
const voicemail: MachineEvent = { type: "heard", greeting: "voicemail", isTalking: false };
const words: MachineEvent = { type: "heard", greeting: undefined, isTalking: false };
const verdict = (answeredBy: Extract<MachineEvent, { type: "verdict" }>["answeredBy"]): MachineEvent => ({
  type: "verdict",
  answeredBy,
});

const expired = (of: MachineState, quietMs?: number, isLate = false): MachineEvent => ({
  type: "expired",
  of,
  quietMs,
  isLate,
});

const ROWS: readonly [string, MachineState, MachineEvent, object, object][] = [
  ["a person", "unknown", verdict("human"), LEAVES, { state: "unknown", answeredBy: "human" }],
  [
    "a carrier that thinks better of it lets the agent speak",
    "suspected",
    verdict("human"),
    LEAVES,
    { state: "unknown", answeredBy: "human", agent: "speak" },
  ],
  [
    "a person the carrier finds while the beep is waited for is spoken to",
    "waiting",
    verdict("human"),
    LEAVES,
    { state: "unknown", answeredBy: "human", agent: "speak" },
  ],
  [
    "a machine that begins its greeting keeps the agent quiet for the grace window",
    "unknown",
    verdict("machine_start"),
    LEAVES,
    { state: "suspected", answeredBy: "machine_start", agent: "mute", expireMs: GRACE_MS },
  ],
  [
    "words no greeting has, within the window, make it a person",
    "suspected",
    words,
    LEAVES,
    { state: "talking", answeredBy: "human", agent: "speak" },
  ],
  [
    "a window that ends with nothing heard leaves it unconfirmed",
    "suspected",
    expired("suspected"),
    LEAVES,
    { state: "talking", answeredBy: "amd_unconfirmed", agent: "speak" },
  ],
  [
    "a window that ends while a voice is heard goes on: its words may be a greeting's",
    "suspected",
    expired("suspected", 0),
    LEAVES,
    { state: "suspected", agent: "mute", expireMs: GRACE_MS },
  ],
  [
    "the window is counted from the last voice",
    "suspected",
    expired("suspected", GRACE_MS - 1),
    LEAVES,
    { state: "suspected", agent: "mute", expireMs: 1 },
  ],
  [
    "silence after a voice leaves it unconfirmed, too",
    "suspected",
    expired("suspected", GRACE_MS),
    LEAVES,
    { state: "talking", answeredBy: "amd_unconfirmed", agent: "speak" },
  ],
  [
    "a voice that goes on for longer than any greeting is not waited for",
    "suspected",
    expired("suspected", 0, true),
    LEAVES,
    { state: "talking", answeredBy: "amd_unconfirmed", agent: "speak" },
  ],
  [
    "the first words of a voice that goes on may be a greeting's",
    "suspected",
    { type: "heard", greeting: undefined, isTalking: true },
    LEAVES,
    { state: "suspected" },
  ],
  [
    "a greeting whose words come late counts all the same",
    "talking",
    voicemail,
    LEAVES,
    { state: "waiting", agent: "mute", expireMs: BEEP_WITHIN_MS, answeredBy: "machine_text_detect" },
  ],
  [
    "so does its beep",
    "talking",
    verdict("machine_end_beep"),
    LEAVES,
    { state: "settled", answeredBy: "machine_end_beep", action: "voicemail_drop" },
  ],
  [
    "a carrier that guesses again does not silence an agent that talks to a person",
    "talking",
    verdict("machine_start"),
    LEAVES,
    { state: "talking" },
  ],
  [
    "a long hello is no greeting because a carrier takes its end for one",
    "talking",
    verdict("machine_end_silence"),
    LEAVES,
    { state: "talking" },
  ],
  [
    "a carrier that comes round to a person says who answered",
    "talking",
    verdict("human"),
    LEAVES,
    { state: "talking", answeredBy: "human" },
  ],
  [
    "a carrier that finds the machine after its greeting was heard changes nothing about the beep",
    "waiting",
    verdict("machine_start"),
    LEAVES,
    { state: "waiting", answeredBy: "machine_start" },
  ],
  [
    "a message is not left while the greeting is still heard",
    "waiting",
    expired("waiting", 500),
    LEAVES,
    { state: "waiting", agent: "mute", expireMs: GREETING_PAUSE_MS - 500 },
  ],
  [
    "a greeting that is heard bears it out, and the beep is waited for",
    "suspected",
    voicemail,
    LEAVES,
    { state: "waiting", agent: "mute", expireMs: BEEP_WITHIN_MS },
  ],
  [
    "the beep is when the message is left",
    "waiting",
    verdict("machine_end_beep"),
    LEAVES,
    { state: "settled", answeredBy: "machine_end_beep", action: "voicemail_drop" },
  ],
  [
    "a beep nobody reports is not waited for forever",
    "waiting",
    expired("waiting"),
    LEAVES,
    { state: "settled", action: "voicemail_drop" },
  ],
  [
    "with no message to leave the call is dropped",
    "suspected",
    voicemail,
    HANGS_UP,
    { state: "settled", action: "amd_hangup" },
  ],
  [
    "who asked to be rid of machines is, at once",
    "unknown",
    verdict("machine_start"),
    DROPS,
    { state: "settled", answeredBy: "machine_start", action: "amd_hangup" },
  ],
  [
    "a greeting the carrier missed is found by its words",
    "unknown",
    voicemail,
    HANGS_UP,
    { state: "settled", answeredBy: "machine_text_detect", action: "amd_hangup" },
  ],
  [
    "a menu is hung up on",
    "unknown",
    { type: "heard", greeting: "ivr", isTalking: false },
    LEAVES,
    { state: "settled", action: "ivr_hangup" },
  ],
  [
    "a call that is screened goes on",
    "suspected",
    { type: "heard", greeting: "screening", isTalking: false },
    LEAVES,
    { state: "settled", action: "call_screen", agent: "speak" },
  ],
  [
    "an assistant that screens it is told who calls",
    "unknown",
    { type: "heard", greeting: "screening", isTalking: false },
    ANSWERS,
    { state: "screened", action: "call_screen", agent: "announce", expireMs: SCREENED_MS },
  ],
  [
    "an assistant is told who calls where nobody looks for machines, too",
    "unknown",
    { type: "heard", greeting: "screening", isTalking: false },
    TALKS,
    { state: "screened", action: "call_screen", agent: "announce", expireMs: SCREENED_MS },
  ],
  [
    "an assistant that asks for patience is given it",
    "screened",
    { type: "heard", greeting: "hold", isTalking: false },
    ANSWERS,
    { state: "screened" },
  ],
  [
    "an assistant that asks again is not told again",
    "screened",
    { type: "heard", greeting: "screening", isTalking: false },
    ANSWERS,
    { state: "screened" },
  ],
  [
    "a carrier's word on an assistant counts for nothing",
    "screened",
    verdict("machine_end_beep"),
    ANSWERS,
    {
      state: "screened",
    },
  ],
  [
    "a person who comes after an assistant is greeted",
    "screened",
    words,
    ANSWERS,
    { state: "settled", answeredBy: "human", agent: "greet" },
  ],
  [
    "a mailbox that comes after an assistant is a mailbox",
    "screened",
    voicemail,
    ANSWERS,
    {
      state: "waiting",
      agent: "mute",
      expireMs: BEEP_WITHIN_MS,
      answeredBy: "machine_text_detect",
    },
  ],
  ["a mailbox is talked to where machines are", "screened", voicemail, TALKS, { state: "screened" }],
  [
    "nobody who comes after an assistant lets the agent speak again",
    "screened",
    expired("screened"),
    ANSWERS,
    { state: "settled", agent: "speak" },
  ],
  [
    "a machine that is talked to as anybody is noted",
    "unknown",
    verdict("machine_end_beep"),
    TALKS,
    { state: "unknown", answeredBy: "machine_end_beep" },
  ],
  [
    "a fax is no exception to that",
    "unknown",
    verdict("fax"),
    TALKS,
    { state: "unknown", answeredBy: "fax" },
  ],
  ["machines are talked to where nobody looks for them", "unknown", voicemail, TALKS, { state: "unknown" }],
  [
    "patience asked for within the window is a person's",
    "suspected",
    { type: "heard", greeting: "hold", isTalking: false },
    LEAVES,
    { state: "talking", answeredBy: "human", agent: "speak" },
  ],
  [
    "a fax is dropped",
    "unknown",
    verdict("fax"),
    LEAVES,
    { state: "settled", answeredBy: "fax", action: "amd_hangup" },
  ],
  [
    "a window that the greeting has closed says nothing about its beep",
    "waiting",
    expired("suspected"),
    LEAVES,
    { state: "waiting" },
  ],
  [
    "a window that an assistant has closed does not end the wait for a person",
    "screened",
    expired("suspected"),
    ANSWERS,
    { state: "screened" },
  ],
  ["what is settled stays so", "settled", voicemail, LEAVES, { state: "settled" }],
  ["a person who talks is a person", "unknown", words, LEAVES, { state: "unknown" }],
];

describe("machine detection", () => {
  it.each(ROWS)("%s", (...[, state, event, policy, step]) => {
    expect(machineStep(state, event, policy as typeof LEAVES)).toEqual(step);
  });
});
