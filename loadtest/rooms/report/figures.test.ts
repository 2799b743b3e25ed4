import { expect, it } from "vitest";
import type { Asked } from "../callers/call-record.ts";
import { CallRecord } from "../callers/call-record.ts";
import { CASES } from "../cases.ts";
import { figuresOf } from "./figures.ts";
import { rowOf } from "./results.ts";
import { markdownTable } from "./table.ts";

const QUESTION = { text: "Is there a train?", samples: new Float32Array(0), words: [] };

function asked(of: Partial<Asked>): Asked {
  return {
    ...{ number: 1, utterance: QUESTION, startedAtMs: 1_000, wordsEndedAtMs: 2_000, wasCutOff: false },
    ...{ answeredAtMs: 2_600, silentMs: 600, stops: 0, isOver: true },
    ...{ isInterruption: false, stoppedAfterMs: undefined, ...of },
  };
}

function recordOf(...questions: Asked[]): CallRecord {
  const record = new CallRecord({ id: "x", fault: "none", brainMs: 150, hasLongAnswers: true });
  record.questions.push(...questions);
  return record;
}

const row = CASES.find(({ id }) => id === "interrupts-echo-10");
if (!row) throw new Error("no caller interrupts");

it("counts the interruptions that the agent fell silent for, and how soon", () => {
  const figures = figuresOf(
    [
      recordOf(
        asked({}),
        asked({ isInterruption: true, stoppedAfterMs: 500 }),
        asked({ isInterruption: true, stoppedAfterMs: 900 }),
        asked({ isInterruption: true }),
      ),
    ],
    true,
  );
  expect(figures).toMatchObject({ interruptions: 3, interrupted: 2, stopP50Ms: 900, stopP90Ms: 900 });
  expect(rowOf(row, figures).missed).toContain("interruptions heard at least 95 %");
  expect(rowOf(row, figures).missed).not.toContain("silent p90 at most 1200 ms");
  expect(markdownTable([rowOf(row, figures)])).toContain("| 2 of 3 | 0.90 | 0.90 |");
});

it("says nothing of interruptions where nobody interrupts", () => {
  const figures = figuresOf([recordOf(asked({}))], true);
  expect(figures).not.toHaveProperty("interruptions");
  expect(markdownTable([rowOf(row, figures)])).not.toContain("interrupted");
});
