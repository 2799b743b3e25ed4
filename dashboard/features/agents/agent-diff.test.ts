import { describe, expect, it } from "vitest";
import { changesBetween } from "./agent-diff.ts";

const tool = (name: string, more = {}) => ({ kind: "http", name, url: "https://a.example", ...more });

describe("what differs between two versions", () => {
  it("is told setting by setting, with what it is part of and its unit", () => {
    const before = {
      name: "Anna",
      turnTaking: { bargeIn: { minSpeechMs: 200, enabled: true } },
      recording: true,
    };
    const after = {
      name: "Anna",
      turnTaking: { bargeIn: { minSpeechMs: 300, enabled: true } },
      recording: false,
    };
    expect(changesBetween(before, after)).toEqual([
      {
        path: "turnTaking.bargeIn.minSpeechMs",
        labels: ["Turn-taking", "Interrupting the agent", "Minimum speech to interrupt"],
        before: "200 ms",
        after: "300 ms",
      },
      { path: "recording", labels: ["Record calls"], before: "Yes", after: "No" },
    ]);
  });

  it("compares tools by their names, wherever they stand", () => {
    const before = { brain: { tools: [tool("a"), tool("b", { timeoutMs: 100 })] } };
    const after = { brain: { tools: [tool("b", { timeoutMs: 200 }), tool("a")] } };
    expect(changesBetween(before, after)).toEqual([
      {
        path: "brain.tools.b.timeoutMs",
        labels: ["Brain", "Tools", "b", "Timeout"],
        before: "100 ms",
        after: "200 ms",
      },
    ]);
  });

  it("tells what came and what went", () => {
    const changes = changesBetween(
      { firstResponse: "Hello", variables: [] },
      { variables: [{ name: "who" }] },
    );
    expect(changes.map(({ path, before, after }) => [path, before, after])).toEqual([
      ["firstResponse", "Hello", undefined],
      ["variables.who.name", undefined, "who"],
    ]);
  });

  it("shows a payload as the JSON it is", () => {
    const [change] = changesBetween({ brain: { payload: { a: 1 } } }, { brain: { payload: { a: 2 } } });
    expect(change).toMatchObject({ before: '{\n  "a": 1\n}', after: '{\n  "a": 2\n}' });
  });
});
