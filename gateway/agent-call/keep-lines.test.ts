import { callPlanSchema } from "@parley/shared/contracts/call-plan.ts";
import { expect, it } from "vitest";
import { keepLines, linesToKeep } from "./keep-lines.ts";

function keeping(known: readonly string[], failsAt?: string) {
  const asked: string[] = [];
  const kept = { isKept: () => true, has: (text: string) => known.includes(text), get: () => undefined };
  const open = () => ({
    say: async function* say(text: string) {
      asked.push(text);
      if (text === failsAt) throw new Error("died");
      yield new Int16Array(20);
    },
    close: () => undefined,
  });
  const { signal } = new AbortController();
  const put = (): void => undefined;
  return { asked, options: { kept: { ...kept, put }, open, signal } };
}

it("an agent's own lines are spoken for nobody, clause by clause, but for those that are kept", async () => {
  const { asked, options } = keeping(["One moment."]);
  await keepLines(["Sorry, what? Say it again.", "One moment.", "Still there?"], options);
  expect(asked).toEqual(["Sorry, what?", "Say it again.", "Still there?"]);
});

it("a voice that fails is not asked for the rest", async () => {
  const { asked, options } = keeping([], "Two.");
  await keepLines(["One.", "Two.", "Three."], options);
  expect(asked).toEqual(["One.", "Two."]);
});

it("the lines are those of the agent's settings, without empty ones", () => {
  const { shape } = callPlanSchema;
  const lines = linesToKeep({
    brain: shape.brain.parse({ url: "https://brain.example/", fallbackLine: "Pardon?" }),
    waiting: shape.waiting.parse({ line: "", againLine: "Still on it." }),
    outage: shape.outage.parse({ hearingLine: "I can't hear you." }),
    silence: shape.silence.parse({ prompts: ["Hello?"] }),
  });
  expect(lines).toEqual(["Pardon?", "Still on it.", "I can't hear you.", "Hello?"]);
});
