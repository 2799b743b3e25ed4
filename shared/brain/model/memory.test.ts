import { describe, expect, it } from "vitest";
import { Conversation } from "./memory.ts";
import type { ChatMessage } from "./messages.ts";

const heard = (turn: number, text: string) => ({ turn, text, interruptedAtMs: 10 });

function shown(messages: readonly ChatMessage[]): string[] {
  return messages.map(({ role, content }) => `${role}: ${content}`);
}

function begin(conversation: Conversation, turn: number, query: string, cut?: string) {
  return conversation.begin({ turn, query, heard: cut === undefined ? undefined : heard(turn - 1, cut) });
}

describe("what a model remembers of a call", () => {
  it("is what both sides said, in order", () => {
    const conversation = new Conversation();
    begin(conversation, 1, "Hello").say("Hi ");
    begin(conversation, 2, "How are you?").say("Fine.");
    begin(conversation, 3, "Good.");
    expect(shown(conversation.messages([]))).toEqual([
      "user: Hello",
      "assistant: Hi ",
      "user: How are you?",
      "assistant: Fine.",
      "user: Good.",
    ]);
  });

  it("replaces a turn that is asked again", () => {
    const conversation = new Conversation();
    begin(conversation, 1, "I would like").say("What would you");
    begin(conversation, 1, "I would like a table").say("For when?");
    begin(conversation, 2, "Now");
    expect(shown(conversation.messages([]))).toEqual([
      "user: I would like a table",
      "assistant: For when?",
      "user: Now",
    ]);
  });

  it("cuts an answer at what was heard, and drops it when that was nothing", () => {
    const conversation = new Conversation();
    begin(conversation, 1, "Tell me").say("First, second, third.");
    begin(conversation, 2, "Stop", "First,").say("All right.");
    begin(conversation, 3, "Thanks", "");
    expect(shown(conversation.messages([]))).toEqual([
      "user: Tell me",
      "assistant: First,",
      "user: Stop",
      "user: Thanks",
    ]);
  });

  it("forgets a cut with the turn that told it, when that is asked again without", () => {
    const conversation = new Conversation();
    begin(conversation, 1, "Tell me").say("First, second.");
    begin(conversation, 2, "Sto", "First,");
    begin(conversation, 2, "Mm-hm, go on");
    expect(shown(conversation.messages([]))[1]).toBe("assistant: First, second.");
  });

  it("keeps what tools gave, of a cut answer too, and knows which were abandoned", () => {
    const conversation = new Conversation();
    const record = begin(conversation, 1, "Is there a table?");
    record.say("Let me look.");
    record.call([
      { id: "c1", name: "tables", argumentsText: '{"day":1}' },
      { id: "c2", name: "broken", argumentsText: "{oops" },
    ]);
    record.result("c1", '{"free":2}');
    record.say("There are two.");
    begin(conversation, 2, "Take one", "There");
    expect(conversation.messages([])).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c1", type: "function", function: { name: "tables", arguments: '{"day":1}' } },
          // Servers that read them again must not fail on them.
          { id: "c2", type: "function", function: { name: "broken", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: '{"free":2}' },
      { role: "tool", tool_call_id: "c2", content: expect.stringContaining("abandoned") },
      { role: "assistant", content: "There" },
      { role: "user", content: "Take one" },
    ]);
  });

  it("has the agent's own lines in their places, joined with what they follow", () => {
    const conversation = new Conversation();
    begin(conversation, 1, "Hello").say("Hi.");
    begin(conversation, 2, "So");
    const lines = [
      { turn: 0, text: "Welcome." },
      { turn: 1, text: "Are you still there?" },
      { turn: 2, text: "Still there?" },
    ];
    expect(shown(conversation.messages(lines))).toEqual([
      "assistant: Welcome.",
      "user: Hello",
      "assistant: Hi. Are you still there? Still there?",
      "user: So",
    ]);
  });

  it("is bounded: the oldest turns go, the one that is asked stays", () => {
    const conversation = new Conversation();
    for (let turn = 1; turn <= 500; turn++) begin(conversation, turn, `q${turn}`).say("a");
    expect(conversation.messages([{ turn: 0, text: "Welcome." }])).toHaveLength(400);
    const long = "x".repeat(150_000);
    begin(conversation, 501, long).say(long);
    begin(conversation, 502, long);
    expect(shown(conversation.messages([]))).toEqual([`user: ${long}`]);
  });
});
