import { flowFaults } from "@parley/shared/contracts/flows/checks.ts";
import type { Flow } from "@parley/shared/contracts/flows/flow.ts";
import { describe, expect, it } from "vitest";
import { FlowTalk, flowOf, type Happening } from "../../testkit/flows.ts";

const end = { type: "end", text: "Bye." };
const ask = (answer: object, more: object = {}) => ({
  ...{ type: "ask", text: "Well?", save: "it", answer, next: "ok", no_answer: "bye" },
  ...more,
});
const ok = { type: "end", text: "Got {it}." };
const asks = (answer: object, more: object = {}): Flow => flowOf({ q: ask(answer, more), ok, bye: end });
const begin: Happening = { type: "begin" };
const choice = {
  type: "choice",
  options: [{ value: "red" }, { value: "blue", synonyms: ["navy", "dark blue"] }],
};
const set = (value: string) => [{ variable: "it", value }];

type Row = readonly [what: string, flow: Flow, talk: readonly (readonly [Happening, string])[]];

const ROWS: readonly Row[] = [
  [
    "says one thing after the other",
    flowOf({
      a: { type: "say", text: "Hi.", next: "b" },
      b: { type: "say", text: "Ho.", next: "c" },
      c: end,
    }),
    [[begin, "Hi. Ho. Bye. [end]"]],
  ],
  ["ends without a word", flowOf({ a: { type: "end" } }), [[begin, "[end]"]]],
  [
    "stays over once it is over",
    flowOf({ a: end }),
    [
      [begin, "Bye. [end]"],
      ["Hello?", "[end]"],
    ],
  ],
  [
    "takes any words for a text",
    asks({ type: "text" }),
    [
      [begin, "Well?"],
      ["Anne Smith", "Got Anne Smith. [end]"],
    ],
  ],
  [
    "takes an option by its name",
    asks(choice),
    [
      [begin, "Well?"],
      ["The red one, please", "Got red. [end]"],
    ],
  ],
  [
    "takes an option by another word for it",
    asks(choice),
    [
      [begin, "Well?"],
      ["Navy", "Got blue. [end]"],
    ],
  ],
  [
    "takes an option by its place",
    asks(choice),
    [
      [begin, "Well?"],
      ["the second one", "Got blue. [end]"],
    ],
  ],
  [
    "takes an option by its key",
    asks(choice),
    [
      [begin, "Well?"],
      ["DTMF: 1", "Got red. [end]"],
    ],
  ],
  [
    "takes neither of two options that were both named",
    asks(choice),
    [
      [begin, "Well?"],
      ["red or blue", "Sorry, I did not get that. Well?"],
    ],
  ],
  [
    "takes a number in words",
    asks({ type: "number" }),
    [
      [begin, "Well?"],
      ["about twenty five", "Got 25. [end]"],
    ],
  ],
  [
    "refuses a number out of its bounds",
    asks({ type: "number", min: 1, max: 8 }),
    [
      [begin, "Well?"],
      ["nine", "Sorry, I did not get that. Well?"],
      ["8", "Got 8. [end]"],
    ],
  ],
  [
    "refuses half a thing",
    asks({ type: "number", whole: true }),
    [
      [begin, "Well?"],
      ["2.5", "Sorry, I did not get that. Well?"],
    ],
  ],
  [
    "takes a day that is named",
    asks({ type: "date" }),
    [
      [begin, "Well?"],
      ["tomorrow", "Got 2026-11-24. [end]"],
    ],
  ],
  [
    "refuses a day that is over",
    asks({ type: "date", future: true }),
    [
      [begin, "Well?"],
      ["yesterday", "Sorry, I did not get that. Well?"],
    ],
  ],
  [
    "takes an e-mail address that is said",
    asks({ type: "email" }),
    [
      [begin, "Well?"],
      ["it is jane dot doe at example dot com", "Got jane.doe@example.com. [end]"],
    ],
  ],
  [
    "takes a phone number that is said",
    asks({ type: "phone" }),
    [
      [begin, "Well?"],
      ["plus four nine three oh one two three four", "Got +49301234. [end]"],
    ],
  ],
  [
    "takes a yes",
    asks({ type: "yes_no" }),
    [
      [begin, "Well?"],
      ["Yes, please do", "Got yes. [end]"],
    ],
  ],
  [
    "takes a no",
    asks({ type: "yes_no" }),
    [
      [begin, "Well?"],
      ["No, thanks", "Got no. [end]"],
    ],
  ],
  [
    "gives up after its attempts",
    asks({ type: "yes_no" }, { attempts: 2 }),
    [
      [begin, "Well?"],
      ["Maybe", "Sorry, I did not get that. Well?"],
      ["Hm", "Bye. [end]"],
    ],
  ],
  [
    "says a node's own words before it asks again",
    asks({ type: "number" }, { retry: "A number, please." }),
    [
      [begin, "Well?"],
      ["what", "A number, please. Well?"],
    ],
  ],
  [
    "passes a question over whose answer is known",
    flowOf({
      s: { type: "set", values: set("7"), next: "q" },
      q: ask({ type: "number" }, { skipIfKnown: true }),
      ok,
      bye: end,
    }),
    [[begin, "Got 7. [end]"]],
  ],
  [
    "takes keys",
    flowOf({ k: { ...ask({}), type: "collect", minDigits: 4, maxDigits: 4 }, ok, bye: end }),
    [
      [begin, "Well?"],
      ["DTMF: 12", "Sorry, I did not get that. Well?"],
      ["DTMF: 1234#", "Got 1234. [end]"],
    ],
  ],
  [
    "takes digits that are said for keys",
    flowOf({ k: { ...ask({}), type: "collect", minDigits: 3 }, ok, bye: end }),
    [
      [begin, "Well?"],
      ["one double two", "Got 122. [end]"],
    ],
  ],
  [
    "answers the first question with the first words",
    asks(choice),
    [["I want the red one", "Got red. [end]"]],
  ],
  [
    "asks the first question when the first words are no answer",
    asks(choice),
    [
      ["Hello?", "Well?"],
      ["red", "Got red. [end]"],
    ],
  ],
  [
    "repeats a question that was not heard, and counts no attempt",
    asks({ type: "number" }, { attempts: 1 }),
    [
      [begin, "Well?"],
      [{ type: "said", text: "what", heard: "" }, "Well?"],
      ["what", "Bye. [end]"],
    ],
  ],
  [
    "takes an answer to a question that was not heard to its end",
    asks({ type: "number" }),
    [
      [begin, "Well?"],
      [{ type: "said", text: "four", heard: "W" }, "Got 4. [end]"],
    ],
  ],
  [
    "says again all that was not heard",
    flowOf({
      a: { type: "say", text: "This call is recorded.", next: "q" },
      q: ask({ type: "number" }),
      ok,
      bye: end,
    }),
    [
      [begin, "This call is recorded. Well?"],
      [{ type: "said", text: "hello", heard: "This" }, "This call is recorded. Well?"],
    ],
  ],
];

describe("a question of a flow", () => {
  it.each(ROWS)("%s", (_what, flow, talk) => {
    const tools = [
      { name: "find", kind: "http" },
      { name: "docs", kind: "knowledge" },
    ];
    const talked = new FlowTalk(flow);
    const told = talk.map(([happening]) => [happening, talked.tell(happening)]);
    expect(told).toEqual(talk);
    // What is talked to here could be published, but for a text that is filled with nothing on purpose.
    const faults = flowFaults(flow, { tools, hasModel: true, variables: ["it", "other", "current_date"] });
    expect(faults).toEqual([]);
  });
});
