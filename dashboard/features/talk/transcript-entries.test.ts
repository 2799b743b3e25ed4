import { describe, expect, test } from "vitest";
import {
  type TranscriptEntry,
  type TranscriptMessage,
  withKeys,
  withTranscript,
} from "./transcript-entries.ts";

function said(
  role: "user" | "assistant",
  turn: number,
  text: string,
  final: "final" | "partial",
): TranscriptMessage {
  return { type: "transcript", role, turn, text, final: final === "final" };
}

function lines(entries: readonly TranscriptEntry[]): string[] {
  return entries.map(({ role, text, final, interrupted }) => {
    return `${role}: ${text}${final ? "" : "…"}${interrupted ? " (interrupted)" : ""}`;
  });
}

const CASES: readonly [title: string, messages: TranscriptMessage[], expected: string[]][] = [
  [
    "a partial text grows in its line until it is final",
    [
      said("user", 1, "I would", "partial"),
      said("user", 1, "I would like", "partial"),
      said("user", 1, "I would like tea", "final"),
    ],
    ["user: I would like tea"],
  ],
  [
    "a final text that grows because the caller went on stays one line",
    [said("user", 1, "I would like", "final"), said("user", 1, "I would like tea", "final")],
    ["user: I would like tea"],
  ],
  [
    "the agent's final text is cut to what was heard",
    [said("assistant", 1, "Tea is ready in the", "partial"), said("assistant", 1, "Tea is", "final")],
    ["assistant: Tea is"],
  ],
  [
    "a second utterance in the same turn gets its own line",
    [
      said("assistant", 1, "Tea is ready", "final"),
      said("assistant", 1, "Are you", "partial"),
      said("assistant", 1, "Are you there?", "final"),
    ],
    ["assistant: Tea is ready", "assistant: Are you there?"],
  ],
  [
    "an answer that was not heard at all disappears",
    [said("assistant", 1, "Tea", "partial"), said("assistant", 1, "", "final")],
    [],
  ],
  [
    "an answer without a final text disappears when the next turn begins",
    [said("assistant", 1, "Tea", "partial"), said("user", 2, "Wait", "final")],
    ["user: Wait"],
  ],
  [
    "the caller may speak before the agent's last line is final",
    [
      said("assistant", 1, "Tea is", "partial"),
      said("user", 2, "Wait", "partial"),
      said("assistant", 1, "Tea", "final"),
      said("user", 2, "Wait", "final"),
    ],
    ["assistant: Tea", "user: Wait"],
  ],
];

describe("the transcript", () => {
  test.each(CASES)("%s", (_, messages, expected) => {
    expect(lines(messages.reduce(withTranscript, [] as readonly TranscriptEntry[]))).toEqual(expected);
  });

  test("shows an answer as interrupted when the gateway says so, as the call's record does", () => {
    const speaking = withTranscript([], said("assistant", 1, "Tea is ready in", "partial"));
    const final = said("assistant", 1, "Tea is", "final");
    expect(lines(withTranscript(speaking, { ...final, interrupted: true }))).toEqual([
      "assistant: Tea is (interrupted)",
    ]);
    expect(lines(withTranscript(speaking, final))).toEqual(["assistant: Tea is"]);
  });

  test("gathers keys pressed one after the other in one line", () => {
    const keys = withKeys(withKeys([], { role: "user-keys", digits: "1" }), {
      role: "user-keys",
      digits: "2",
    });
    expect(lines(withKeys(keys, { role: "agent-keys", digits: "#" }))).toEqual([
      "user-keys: 12",
      "agent-keys: #",
    ]);
  });
});
